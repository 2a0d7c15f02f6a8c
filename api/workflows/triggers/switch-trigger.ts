import type { Db } from '#api/postgres/database.ts';
import { lockTrigger, setTriggerEnabled, type WorkflowTrigger } from '../tables/workflow-triggers.ts';
import { firstOccurrence } from './occurrences.ts';

/**
 * Enables or disables a trigger. Resolves to undefined if the workflow has no trigger of this kind. A schedule that is
 * enabled again continues from now: occurrences in between are neither run nor counted as missed. `changed`: true if
 * the state was different before.
 */
export async function switchTrigger(
  transaction: Db,
  trigger: Pick<WorkflowTrigger, 'workflowId' | 'kind'>,
  enabled: boolean,
  nowMs: number,
): Promise<{ readonly trigger: WorkflowTrigger; readonly changed: boolean } | undefined> {
  const before = await lockTrigger(transaction, trigger);
  if (before === undefined) return undefined;
  if (before.enabled === enabled) return { trigger: before, changed: false };
  return {
    trigger: await setTriggerEnabled(transaction, before, { enabled, ...next(before, enabled, nowMs) }),
    changed: true,
  };
}

/** A schedule without a next time is invalid or has ended. */
function next({ spec, nextAt }: WorkflowTrigger, enabled: boolean, nowMs: number): { readonly nextAt?: Date | null } {
  if (!enabled || spec.kind !== 'schedule' || nextAt === null || nextAt.getTime() > nowMs) return {};
  const ms = firstOccurrence(spec, nowMs);
  return { nextAt: ms === undefined ? null : new Date(ms) };
}
