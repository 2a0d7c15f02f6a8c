import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { JsonValue } from '../json-value.ts';
import type { ExecutionStep } from '../tables/execution-steps.ts';

export type TracedStep = Pick<ExecutionStep, 'step' | 'attempt' | 'status' | 'output' | 'outputFile' | 'error'>;

/** Returns what had happened when a step first began: ended steps, fired timers, and events that waits had received. */
export async function traceBefore(
  db: Db,
  execution: string,
  step: string,
): Promise<{
  readonly steps: TracedStep[];
  readonly timers: string[];
  readonly events: { readonly wait: string; readonly event: JsonValue }[];
}> {
  const from = sql`(SELECT min(began) FROM execution_steps WHERE execution_id = ${execution} AND step = ${step})`;
  const at = sql`(SELECT min(started_at) FROM execution_steps WHERE execution_id = ${execution} AND step = ${step})`;
  const steps = await sql<TracedStep>`
    SELECT step, attempt, status, output, output_file, error FROM execution_steps
    WHERE execution_id = ${execution} AND status IN ('completed', 'failed') AND changed < ${from} AND step <> ${step}
    ORDER BY changed`.execute(db);
  const timers = await sql<{ timer: string }>`
    SELECT timer FROM execution_timers WHERE execution_id = ${execution} AND fire_at <= ${at} AND fired_at IS NOT NULL`.execute(
    db,
  );
  const events = await sql<{ wait: string; event: JsonValue }>`
    SELECT target AS wait, payload AS event FROM execution_signals
    WHERE execution_id = ${execution} AND kind = 'event' AND consumed AND created_at <= ${at} ORDER BY id`.execute(db);
  return { steps: steps.rows, timers: timers.rows.map(({ timer }) => timer), events: events.rows };
}

/** Returns what happened in a whole execution. */
export async function traceOf(db: Db, execution: string): ReturnType<typeof traceBefore> {
  const [steps, timers, events] = await Promise.all([
    sql<TracedStep>`
      SELECT step, attempt, status, output, output_file, error FROM execution_steps
      WHERE execution_id = ${execution} AND status IN ('completed', 'failed') ORDER BY changed`.execute(db),
    sql<{ timer: string }>`
      SELECT timer FROM execution_timers WHERE execution_id = ${execution} AND fired_at IS NOT NULL`.execute(db),
    sql<{ wait: string; event: JsonValue }>`
      SELECT target AS wait, payload AS event FROM execution_signals
      WHERE execution_id = ${execution} AND kind = 'event' AND consumed ORDER BY id`.execute(db),
  ]);
  return { steps: steps.rows, timers: timers.rows.map(({ timer }) => timer), events: events.rows };
}

/** Returns the path of a step of the execution, by path or name. If several match, returns the first. */
export async function findTracedStep(db: Db, execution: string, step: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('executionSteps')
    .select('step')
    .where('executionId', '=', execution)
    .where((eb) => eb.or([eb('step', '=', step), eb('name', '=', step)]))
    .orderBy('began')
    .limit(1)
    .executeTakeFirst();
  return found?.step;
}
