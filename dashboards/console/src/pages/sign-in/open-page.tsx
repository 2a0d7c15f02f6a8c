import { Anchor, Container, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { SIGN_IN_TEXT } from './text.ts';

/** The frame of pages without a session. */
export function OpenPage({
  title,
  links,
  children,
}: {
  readonly title: string;
  readonly links: readonly { readonly to: string; readonly text: string }[];
  readonly children: ReactNode;
}) {
  return (
    <Container component="main" size="26rem" py="12vh">
      <Group gap="xs" mb="md">
        <img src="/icon.svg" alt="" width={32} height={32} />
        <Text fw={600}>{SIGN_IN_TEXT.product}</Text>
      </Group>
      <Paper withBorder p="lg">
        <Page title={title}>{children}</Page>
      </Paper>
      {links.length > 0 && (
        <Group component="nav" aria-label={SIGN_IN_TEXT.otherPages} gap="md" mt="md">
          {links.map(({ to, text }) => (
            <Anchor key={to} component={Link} to={to} size="sm" underline="always">
              {text}
            </Anchor>
          ))}
        </Group>
      )}
    </Container>
  );
}
