import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { NotFound } from '../parts/not-found.tsx';

export const rootRoute = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <FailureNotice error={error} onRetry={reset} />,
});
