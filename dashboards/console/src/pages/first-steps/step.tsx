import { Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { StepState } from './next-step.ts';
import { FIRST_STEPS_TEXT } from './text.ts';

const TEXT = FIRST_STEPS_TEXT.states;

const BADGES = {
  done: <StatusBadge text={TEXT.done} tone="good" />,
  next: <StatusBadge text={TEXT.next} tone="neutral" />,
  later: null,
  unseen: <StatusBadge text={TEXT.unseen} tone="warning" />,
} as const;

export function Step({
  title,
  state,
  children,
}: {
  readonly title: string;
  readonly state: StepState;
  readonly children: ReactNode;
}) {
  return (
    <Paper component="li" withBorder p="md" mb="sm">
      <Group gap="sm" mb={6}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {BADGES[state]}
      </Group>
      <Text component="div" size="sm">
        {children}
      </Text>
    </Paper>
  );
}
