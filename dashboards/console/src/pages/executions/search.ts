import type { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';

export const EXECUTION_KINDS = ['workflow', 'agent'] as const;

export interface RecentSearch {
  readonly kind?: (typeof EXECUTION_KINDS)[number];
  readonly status?: (typeof EXECUTION_STATUSES)[number][];
}
