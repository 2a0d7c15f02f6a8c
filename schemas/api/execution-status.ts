/** States of an execution, a closed set of the API contract. No dependencies, so that browsers load only this file. */
export const EXECUTION_STATUSES = [
  'created',
  'pending',
  'running',
  'waiting',
  'finalizing',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** Final states. */
export const TERMINAL_STATUSES = [
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const satisfies readonly ExecutionStatus[];
