import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { visible } from './visible.ts';

/** A part of a page with a heading. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby={id} mb="sm">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5" id={id}>
          {visible(title)}
        </Title>
        <Group gap="sm">{actions}</Group>
      </Group>
      {children}
    </Paper>
  );
}
