import { Box } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { PageFailure } from '../app/page-failure.tsx';
import { NotFound } from '../parts/not-found.tsx';

export const Route = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: PageNotFound,
  errorComponent: PageFailure,
});

/** For addresses without a page: outside of the shell, which gives pages their margin and their landmark. */
function PageNotFound() {
  return (
    <Box component="main" p="md">
      <NotFound />
    </Box>
  );
}
