import type { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';

export const WORKFLOW_KINDS = ['workflow', 'block'] as const;
export const WORKFLOW_TABS = [
  'overview',
  'run',
  'executions',
  'definition',
  'versions',
  'triggers',
  'limits',
  'sharing',
] as const;
export type WorkflowTab = (typeof WORKFLOW_TABS)[number];

export interface ListSearch {
  readonly search?: string;
  readonly kind?: (typeof WORKFLOW_KINDS)[number];
}
export interface WorkflowSearch {
  readonly tab?: WorkflowTab;
  /** Filter of the list of executions. */
  readonly status?: (typeof EXECUTION_STATUSES)[number][];
  /** Version to compare with the current one. */
  readonly version?: string;
}
