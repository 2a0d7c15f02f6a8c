/** What types of decisions begin with. */
export const DECISION = 'trapline.approval:';

/**
 * By which the event of a decision is routed, instead of by its own type. Neither callers nor workflows can send events of types that begin so: a wait
 * that needs an approval receives no other event.
 */
export function decisionType(executionId: string, wait: string): string {
  return `${DECISION}${executionId}${wait}`;
}
