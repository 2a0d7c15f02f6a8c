import { createRoute } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { choiceParam, choicesParam, onlyRead, textParam } from '../../parts/search-params.ts';

export const EXECUTION_KINDS = ['workflow', 'agent'] as const;

interface RecentSearch {
  readonly kind?: (typeof EXECUTION_KINDS)[number];
  readonly status?: (typeof EXECUTION_STATUSES)[number][];
}

export const recentExecutionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/executions',
  validateSearch: onlyRead((given: Record<string, unknown>): RecentSearch => {
    const [kind, status] = [choiceParam(given.kind, EXECUTION_KINDS), choicesParam(given.status, EXECUTION_STATUSES)];
    return { ...(kind === undefined ? {} : { kind }), ...(status === undefined ? {} : { status }) };
  }),
  component: lazyPage(() => import('./recent-page.tsx'), 'RecentPage'),
});

export const executionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/executions/$id',
  component: lazyPage(() => import('./execution-page.tsx'), 'ExecutionPage'),
});

export const approvalsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/approvals',
  validateSearch: onlyRead((given: Record<string, unknown>): { readonly wait?: string } => {
    const wait = textParam(given.wait);
    return wait === undefined ? {} : { wait };
  }),
  component: lazyPage(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
});
