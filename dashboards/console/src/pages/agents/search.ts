export const AGENT_TABS = [
  'workspace',
  'run',
  'runs',
  'examples',
  'experiments',
  'usage',
  'tools',
  'configuration',
  'sharing',
] as const;
export type AgentTab = (typeof AGENT_TABS)[number];
export const RUN_TABS = ['result', 'review', 'files', 'trace'] as const;
export type RunTabName = (typeof RUN_TABS)[number];
export const RATINGS = ['pass', 'partial', 'fail', 'none'] as const;
export const FEEDBACK_STATES = ['open', 'resolved', 'ignored'] as const;
/** Filters of runs that are strings. */
export const TEXTS = ['status', 'batchId', 'exampleNameContains'] as const;

export interface RunFilters {
  readonly status?: string;
  readonly batchId?: string;
  readonly exampleNameContains?: string;
  readonly feedbackRating?: (typeof RATINGS)[number];
  readonly feedbackStatus?: (typeof FEEDBACK_STATES)[number];
}
export interface AgentSearch extends RunFilters {
  readonly tab?: AgentTab;
  /** Path of the open file. */
  readonly file?: string;
  /** Id of the open experiment. */
  readonly experiment?: string;
}
