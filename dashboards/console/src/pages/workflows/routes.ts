import { createRoute } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { choiceParam, choicesParam, onlyRead, textParam } from '../../parts/search-params.ts';

export const WORKFLOW_KINDS = ['workflow', 'block'] as const;
export const WORKFLOW_TABS = ['overview', 'run', 'executions', 'definition', 'versions', 'triggers'] as const;
export type WorkflowTab = (typeof WORKFLOW_TABS)[number];

interface ListSearch {
  readonly search?: string;
  readonly kind?: (typeof WORKFLOW_KINDS)[number];
}
interface WorkflowSearch {
  readonly tab?: WorkflowTab;
  /** Of the list of executions. */
  readonly status?: (typeof EXECUTION_STATUSES)[number][];
  /** A version that is compared with the current one. */
  readonly version?: string;
}

export const workflowsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/workflows',
  validateSearch: onlyRead((given: Record<string, unknown>): ListSearch => {
    const [search, kind] = [textParam(given.search), choiceParam(given.kind, WORKFLOW_KINDS)];
    return { ...(search === undefined ? {} : { search }), ...(kind === undefined ? {} : { kind }) };
  }),
  component: lazyPage(() => import('./workflows-page.tsx'), 'WorkflowsPage'),
});

export const workflowRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/workflows/$id',
  validateSearch: onlyRead((given: Record<string, unknown>): WorkflowSearch => {
    const tab = choiceParam(given.tab, WORKFLOW_TABS);
    const status = choicesParam(given.status, EXECUTION_STATUSES);
    const version = textParam(given.version);
    return {
      ...(tab === undefined ? {} : { tab }),
      ...(status === undefined ? {} : { status }),
      ...(version === undefined ? {} : { version }),
    };
  }),
  component: lazyPage(() => import('./workflow-page.tsx'), 'WorkflowPage'),
});
