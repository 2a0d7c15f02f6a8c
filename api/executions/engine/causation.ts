/**
 * Executions that cause each other stand no deeper than this behind one another: by events, by tools of agents, or by calls that come back to this service. A
 * workflow that sends the event it begins by comes to an end, with an execution that is rejected and says why. What is rejected so tells nobody that it failed,
 * else a hook for failures would go on with the circle.
 */
export const MAX_CAUSATION = 16;

/** With every HTTP call of an execution: how many executions stand behind it. */
export const CAUSATION_HEADER = 'x-trapline-causation';

/** How many executions stand behind what a request begins. Whoever makes the number up makes only his own run end sooner. */
export function causationOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): number {
  const told = headers[CAUSATION_HEADER];
  if (typeof told !== 'string' || !/^\d{1,3}$/.test(told)) return 0;
  return Math.min(Number(told), MAX_CAUSATION) + 1;
}
