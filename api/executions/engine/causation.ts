/**
 * Maximum length of a causal chain of executions. Executions cause each other by events, by tools of agents, or by
 * calls back to this service. The limit ends a workflow that sends its own trigger event: the next execution is
 * rejected with a reason. This rejection fires no failure trigger. Otherwise a failure hook would continue the loop.
 */
export const MAX_CAUSATION = 16;

/** Header of every HTTP call of an execution: the number of executions in its causal chain. */
export const CAUSATION_HEADER = 'x-trapline-causation';

/**
 * Returns the number of executions that caused the request. A client that forges the header only shortens its own
 * chain.
 */
export function causationOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): number {
  const header = headers[CAUSATION_HEADER];
  if (typeof header !== 'string' || !/^\d{1,3}$/.test(header)) return 0;
  return Math.min(Number(header), MAX_CAUSATION) + 1;
}
