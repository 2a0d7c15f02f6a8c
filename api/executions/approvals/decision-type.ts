/** Type prefix of the events that decisions are routed as. */
export const DECISION = 'trapline.approval:';

/**
 * Returns the event type that a decision is routed as, in place of the type of its own event. Callers and workflows
 * cannot send types with this prefix. So only a decision continues a wait that needs an approval.
 */
export function decisionType(executionId: string, wait: string): string {
  return `${DECISION}${executionId}${wait}`;
}
