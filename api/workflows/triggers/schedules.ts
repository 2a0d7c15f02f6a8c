import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { DRY_RUN } from '#api/executions/engine/run/dry-run.ts';
import type { Db } from '#api/postgres/database.ts';
import { type ArmedTrigger, afterTriggers, dueSchedules, moveSchedule } from '../tables/workflow-triggers.ts';
import { type DueOccurrence, dueOccurrence } from './occurrences.ts';
import { type StartDeps, startTriggered } from './start.ts';

/** Number of schedules per pass. */
const MAX_SCHEDULES = 50;

export interface ScheduleDeps extends StartDeps {
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Starts due schedules. Resolves to true if there may be more. Any number of processes may call it: the first one to
 * advance a schedule wins. A pattern that this version cannot parse, for example of a later version, stays due and does
 * not block others.
 */
export async function fireSchedules(deps: ScheduleDeps, nowMs: number): Promise<boolean> {
  const due = await dueSchedules(deps.database, new Date(nowMs), MAX_SCHEDULES);
  let fired = 0;
  for (const trigger of due) if (await fireSchedule(deps, trigger, nowMs)) fired += 1;
  return due.length === MAX_SCHEDULES && fired > 0;
}

/** Returns false if the pattern cannot be parsed. */
async function fireSchedule(deps: ScheduleDeps, trigger: ArmedTrigger, nowMs: number): Promise<boolean> {
  const { spec, nextAt } = trigger;
  if (spec.kind !== 'schedule' || nextAt === null) return false;
  let occurrences: DueOccurrence;
  try {
    occurrences = dueOccurrence(spec, nextAt.getTime(), nowMs);
  } catch (err) {
    deps.logger.warn({ err, trigger: trigger.id, workflow: trigger.workflowId }, 'cannot read a schedule');
    return false;
  }
  const { at, next, missed } = occurrences;
  const occurrence = new Date(at);
  const move = (db: Db) =>
    moveSchedule(db, trigger, { at: next === undefined ? null : new Date(next), last: occurrence, missed });
  const started = await startTriggered(
    deps,
    {
      trigger,
      type: 'schedule',
      occurrence: occurrence.toISOString(),
      input: { scheduledFor: occurrence.toISOString() },
      at: occurrence,
    },
    async (transaction) => void (await move(transaction)),
  );
  // The time was already used before the schedule was set again.
  if (started.outcome === 'repeated') await move(deps.database);
  return true;
}

interface LastExecution {
  readonly id: string;
  readonly status: string;
  readonly completedAt: Date;
}

/**
 * Starts workflows a given time after their last execution completed or failed. A cancelled execution ends the series.
 */
export async function fireAfter(deps: StartDeps, nowMs: number): Promise<void> {
  for (const trigger of await afterTriggers(deps.database)) {
    const { spec } = trigger;
    if (spec.kind !== 'after') continue;
    const last = await lastEnded(deps.database, trigger.workflowId);
    if (last === undefined || last.completedAt.getTime() + spec.afterMs > nowMs) continue;
    if (last.status !== 'completed' && last.status !== 'failed') continue;
    await startTriggered(deps, {
      trigger,
      type: 'schedule',
      occurrence: `after:${last.id}`,
      input: { after: last.id },
      at: new Date(nowMs),
    });
  }
}

/** Returns the latest execution of a workflow without open executions. Ignores dry runs, which have no effects. */
async function lastEnded(db: Db, workflowId: string): Promise<LastExecution | undefined> {
  const { rows } = await sql<LastExecution>`
    SELECT last.id, last.status, last.completed_at FROM (
      SELECT id, status, completed_at FROM executions
      WHERE kind = 'workflow' AND workflow_id = ${workflowId} AND trigger_type <> ${DRY_RUN} ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS last
    WHERE last.completed_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM executions WHERE kind = 'workflow' AND workflow_id = ${workflowId} AND trigger_type <> ${DRY_RUN}
        AND status IN ('created', 'pending', 'running', 'waiting', 'finalizing')
    )`.execute(db);
  return rows[0];
}
