import type { Db } from '#api/postgres/database.ts';
import { lockTrigger, setTriggerEnabled, type WorkflowTrigger } from '../tables/workflow-triggers.ts';
import { firstOccurrence } from './occurrences.ts';

/**
 * Switches a trigger on or off; undefined when the workflow has none of this kind. A schedule that is switched on again goes on from now: what came while it was
 * off is neither done nor counted as missed. `changed`: it was the other way.
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

/** A schedule without a time can't be kept, or is over. */
function next({ spec, nextAt }: WorkflowTrigger, enabled: boolean, nowMs: number): { readonly nextAt?: Date | null } {
  if (!enabled || spec.kind !== 'schedule' || nextAt === null || nextAt.getTime() > nowMs) return {};
  const ms = firstOccurrence(spec, nowMs);
  return { nextAt: ms === undefined ? null : new Date(ms) };
}
