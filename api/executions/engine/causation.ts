/**
 * Executions that cause each other stand no deeper than this behind one another: by events, by tools of agents, or by calls that come back to this service. A
 * workflow that sends the event that starts it comes to an end, with an execution that is rejected and says why. Such a rejection notifies no trigger of its failure,
 * else a hook for failures would go on with the circle.
 */
export const MAX_CAUSATION = 16;

/** With every HTTP call of an execution: how many executions stand behind it. */
export const CAUSATION_HEADER = 'x-trapline-causation';

/** The number of executions that caused the request. A caller that invents the number only stops its own chain sooner. */
export function causationOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): number {
  const header = headers[CAUSATION_HEADER];
  if (typeof header !== 'string' || !/^\d{1,3}$/.test(header)) return 0;
  return Math.min(Number(header), MAX_CAUSATION) + 1;
}
