import { Container, Group, Paper, Text } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { PageFailure } from '../app/page-failure.tsx';
import { APP_TEXT } from '../app/text.ts';
import { NotFound } from '../parts/not-found.tsx';

export const Route = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: PageNotFound,
  errorComponent: PageFailure,
});

/** Page for unknown URLs. It is outside the shell, in the frame of pages without a session. */
function PageNotFound() {
  return (
    <Container component="main" size="30rem" py="12vh">
      <Group gap="xs" mb="md">
        <img src="/icon.svg" alt="" width={32} height={32} />
        <Text fw={600}>{APP_TEXT.product}</Text>
      </Group>
      <Paper withBorder p="lg">
        <NotFound />
      </Paper>
    </Container>
  );
}
