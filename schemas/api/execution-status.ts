/** States of an execution, a closed set of the wire contract. Free of dependencies, so that browsers load nothing else for them. */
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

/** Those that are never left. */
export const TERMINAL_STATUSES = [
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const satisfies readonly ExecutionStatus[];
