import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { choiceParam, onlyRead, textParam } from '../../parts/search-params.ts';

export const AGENT_TABS = ['workspace', 'run', 'runs', 'examples', 'configuration'] as const;
export type AgentTab = (typeof AGENT_TABS)[number];
export const RUN_TABS = ['result', 'review', 'files', 'trace'] as const;
export type RunTabName = (typeof RUN_TABS)[number];
export const RATINGS = ['pass', 'partial', 'fail', 'none'] as const;
export const FEEDBACK_STATES = ['open', 'resolved', 'ignored'] as const;
/** Texts among the filters of runs. */
const TEXTS = ['status', 'batchId', 'exampleNameContains'] as const;

export interface RunFilters {
  readonly status?: string;
  readonly batchId?: string;
  readonly exampleNameContains?: string;
  readonly feedbackRating?: (typeof RATINGS)[number];
  readonly feedbackStatus?: (typeof FEEDBACK_STATES)[number];
}
interface AgentSearch extends RunFilters {
  readonly tab?: AgentTab;
  /** Path of the open file. */
  readonly file?: string;
}

export const agentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/agents',
  validateSearch: onlyRead((given: Record<string, unknown>): { readonly search?: string; readonly archived?: true } => {
    const search = textParam(given.search);
    return { ...(search === undefined ? {} : { search }), ...(given.archived === true ? { archived: true } : {}) };
  }),
  component: lazyPage(() => import('./agents-page.tsx'), 'AgentsPage'),
});

export const agentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/agents/$id',
  validateSearch: onlyRead((given: Record<string, unknown>): AgentSearch => {
    const entries: [string, string | undefined][] = [
      ['tab', choiceParam(given.tab, AGENT_TABS)],
      ['file', textParam(given.file)],
      ...TEXTS.map((name): [string, string | undefined] => [name, textParam(given[name])]),
      ['feedbackRating', choiceParam(given.feedbackRating, RATINGS)],
      ['feedbackStatus', choiceParam(given.feedbackStatus, FEEDBACK_STATES)],
    ];
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as AgentSearch;
  }),
  component: lazyPage(() => import('./agent-page.tsx'), 'AgentPage'),
});

export const agentExecutionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/agents/$id/executions/$executionId',
  validateSearch: onlyRead((given: Record<string, unknown>): { readonly tab?: RunTabName } => {
    const tab = choiceParam(given.tab, RUN_TABS);
    return tab === undefined ? {} : { tab };
  }),
  component: lazyPage(() => import('./agent-execution-page.tsx'), 'AgentExecutionPage'),
});
