import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { PageFailure } from '../app/page-failure.tsx';
import { NotFound } from '../parts/not-found.tsx';

export const Route = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageFailure,
});
