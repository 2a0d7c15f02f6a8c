import type { Unit } from './units.ts';

/** Faults: states that the service must never reach, whatever the input is. */
export const FAULT_KINDS = {
  'process-ended': 'a process of the service ended',
  'process-hung': 'the health endpoints gave no answer for half a minute, while a bare server answered',
  memory: 'a process of the service used more memory than the budget',
  'health-gap': 'a health endpoint gave no answer for longer than the budget, while a bare server answered',
  'health-status': 'a health endpoint answered with another status than 200',
  'server-error': 'a request was answered with a 5xx that is not a documented 503, or not at all',
  'unclear-refusal': 'a refusal or error exposes an internal failure or says nothing',
  'internal-failure': 'an execution failed for a reason of the service, not of the program',
  'no-outcome': 'an execution did not end, and could not be cancelled',
  'crossed-accounts': 'what one account sent appeared in what another received',
  'wrong-result': 'a task that is always the same gave another result',
  'left-running': 'executions were left that are not in a final state',
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;

/** One cause can appear as any of these kinds, depending on timing. */
const UNRESPONSIVE: ReadonlySet<FaultKind> = new Set([
  'process-ended',
  'process-hung',
  'health-gap',
  'health-status',
  'server-error',
]);

export function isSameFault(a: FaultKind, b: FaultKind): boolean {
  return a === b || (UNRESPONSIVE.has(a) && UNRESPONSIVE.has(b));
}

/** After these faults the service cannot be tested further. */
export const ENDS_SERVICE: ReadonlySet<FaultKind> = new Set(['process-ended', 'process-hung']);

export interface Fault {
  readonly kind: FaultKind;
  readonly detail: string;
  /** Units that were in flight or had just ended. One of them is the cause. */
  readonly suspects: readonly Unit[];
}
