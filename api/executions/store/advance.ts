import { type RawBuilder, sql } from 'kysely';
import { arrayText } from '#api/postgres/array-text.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type {} from '../tables/execution-progress.ts';
import { type ExecutionWrite, isKeptReply, writtenBytes } from './execution-write.ts';
import { insertSuspensionEvents } from './lifecycle.ts';
import { traceSteps } from './trace-steps.ts';
import { columnOf, executionsOf, partColumn, partsOf } from './write-columns.ts';

export interface Written {
  readonly id: string;
  /** The resulting status. It is `pending` for a parked execution that already has a signal. */
  readonly status: ExecutionStatus;
  /** True if it waits because it is suspended. */
  readonly suspended?: boolean;
}

/**
 * Writes changes of executions atomically: state and status, steps, timers, waits, delivered signals and emitted
 * events. Each execution is guarded by its claim. If one is missing from the result, its lease is lost and nothing of
 * it was written. At most one write per execution is allowed.
 *
 * An execution that will wait is locked before its signals are read. A concurrent signal is either committed before the
 * lock, and is seen, or after the commit, and finds the execution waiting.
 */
export async function advanceExecutions(database: Database, writes: readonly ExecutionWrite[]): Promise<Written[]> {
  if (writes.every(isPlain)) return writePlain(database, writes);
  if (!writes.some(({ status }) => isParked(status))) return write(database, writes);
  return inTransaction(database, async (transaction) => {
    const ids = writes.map(({ id }) => id).toSorted();
    await sql`/* prepared: lock-executions */
      SELECT FROM executions WHERE id = ANY (${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
    const written = await write(transaction, writes);
    const suspended = written.filter((each) => each.suspended === true).map(({ id }) => id);
    await insertSuspensionEvents(transaction, suspended, 'suspended');
    return written;
  });
}

function isParked(status: ExecutionWrite['status']): boolean {
  return status === 'waiting' || status === 'halted';
}

/** True for a write of only the state, the end and the steps. Most writes are plain. */
function isPlain({
  status,
  timers,
  firedTimers,
  endedTimers,
  waits,
  endedWaits,
  signals,
  events,
}: ExecutionWrite): boolean {
  const parts = [timers, firedTimers, endedTimers, waits, endedWaits, signals, events];
  return !isParked(status) && parts.every(({ length }) => length === 0);
}

/**
 * Fast form of `write` for plain writes: the other parts have a cost even when empty. The state of a continued
 * execution goes to its progress, a narrow row; see `tables/execution-progress.ts`. Like all other statements, it
 * changes rows of executions first, which prevents deadlocks.
 */
async function writePlain(db: Db, writes: readonly ExecutionWrite[]): Promise<Written[]> {
  const running = writes.filter(({ status }) => status === 'running');
  const others = writes.filter(({ status }) => status !== 'running');
  const { rows } = await sql<Written>`/* prepared: advance-executions-plain */
    WITH given AS (${givenRows(others)}),
    changed AS (
      UPDATE executions
      SET status = given.status, state = given.state::json, state_file = given.state_file, result = given.result::json,
        result_file = given.result_file, error = given.error::json,
        losses = CASE WHEN given.status IN ('running', 'finalizing') THEN executions.losses ELSE 0 END,
        written_bytes = executions.written_bytes + given.bytes, wake_at = NULL,
        lease_until = CASE WHEN given.status IN ('running', 'finalizing') THEN executions.lease_until END,
        completed_at = CASE WHEN given.status IN ('completed', 'failed', 'rejected') THEN now() END
      FROM given
      WHERE executions.id = given.id AND executions.epoch = given.epoch AND executions.lease_until IS NOT NULL
      RETURNING executions.id, executions.status, executions.completed_at IS NOT NULL AS ended
    ),
    continued AS (
      SELECT id, 'running', false
      FROM continue_executions(${columnOf(running, 'id')}::text[], ${columnOf(running, 'epoch')}::int[], ${columnOf(running, 'state')}::text[],
        ${columnOf(running, 'stateFile')}::text[], ${arrayText(running.map(writtenBytes))}::bigint[]) AS running (id)
    ),
    moved AS (SELECT * FROM changed UNION ALL SELECT * FROM continued),
    traced AS (${traceSteps(partsOf(writes, ({ steps }) => steps))}),
    timers_ended AS (
      DELETE FROM execution_timers AS t USING moved WHERE moved.ended AND t.execution_id = moved.id AND t.fired_at IS NULL
    ),
    waits_ended AS (DELETE FROM execution_waits AS w USING moved WHERE moved.ended AND w.execution_id = moved.id)
    SELECT id, status FROM moved`.execute(db);
  return rows;
}

/** Long: one SQL statement writes all parts atomically. */
async function write(db: Db, writes: readonly ExecutionWrite[]): Promise<Written[]> {
  const steps = partsOf(writes, ({ steps: of }) => of);
  const timers = partsOf(writes, ({ timers: of }) => of);
  const goneTimers = partsOf(writes, ({ firedTimers, endedTimers }) => [
    ...firedTimers.map((timer) => ({ timer, fired: true })),
    ...endedTimers.map((timer) => ({ timer, fired: false })),
  ]);
  const waits = partsOf(writes, ({ waits: of }) => of);
  const guarded = waits.filter(({ of }) => of.approval !== null);
  const endedWaits = partsOf(writes, ({ endedWaits: of }) => of.map((wait) => ({ wait })));
  const signals = partsOf(writes, ({ signals: of }) => of);
  const events = partsOf(writes, ({ events: of }) => of);
  const replies = events.filter(({ of }) => of.repliesTo !== null);
  const firstTimer = sql`(
    SELECT min(at) FROM (
      SELECT t.fire_at AS at FROM execution_timers AS t
      WHERE t.execution_id = given.id AND t.fired_at IS NULL
        AND NOT EXISTS (SELECT FROM gone WHERE gone.id = t.execution_id AND gone.timer = t.timer)
        AND NOT EXISTS (SELECT FROM set_timers AS s WHERE s.id = t.execution_id AND s.timer = t.timer)
      UNION ALL SELECT s.fire_at FROM set_timers AS s WHERE s.id = given.id
    ) AS due
  )`;
  const untold = sql`EXISTS (
    SELECT FROM execution_signals AS s
    WHERE s.execution_id = given.id AND NOT s.delivered AND s.id <> ALL (ARRAY(SELECT taken.signal FROM taken))
  )`;
  const { rows } = await sql<Written>`/* prepared: advance-executions */
    WITH given AS (${givenRows(writes)}),
    set_timers AS (
      SELECT * FROM unnest(${executionsOf(timers)}::text[], ${partColumn(timers, 'timer')}::text[], ${partColumn(timers, 'fireAt')}::timestamptz[])
        AS t (id, timer, fire_at)
    ),
    gone AS (
      SELECT * FROM unnest(${executionsOf(goneTimers)}::text[], ${partColumn(goneTimers, 'timer')}::text[],
        ${partColumn(goneTimers, 'fired')}::boolean[]) AS g (id, timer, fired)
    ),
    taken AS (
      SELECT * FROM unnest(${executionsOf(signals)}::text[], ${partColumn(signals, 'signal')}::bigint[],
        ${partColumn(signals, 'consumed')}::boolean[]) AS s (id, signal, consumed)
    ),
    meant AS (
      SELECT given.*, ${firstTimer} AS first_timer,
        given.status IN ('waiting', 'halted') AS parked, given.status = 'waiting' AND (${untold} OR coalesce(${firstTimer} <= now(), false)) AS ready
      FROM given
    ),
    moved AS (
      UPDATE executions
      SET status = CASE
          WHEN meant.parked AND executions.suspend_requested_at IS NOT NULL THEN 'waiting'
          WHEN meant.ready OR meant.status = 'halted' THEN 'pending'
          ELSE meant.status END,
        suspended_at = CASE WHEN meant.parked AND executions.suspend_requested_at IS NOT NULL THEN now() END,
        state = meant.state::json, state_file = meant.state_file, result = meant.result::json, result_file = meant.result_file,
        error = meant.error::json, losses = CASE WHEN meant.status IN ('running', 'finalizing') THEN executions.losses ELSE 0 END,
        written_bytes = executions.written_bytes + meant.bytes,
        lease_until = CASE WHEN meant.status IN ('running', 'finalizing') THEN executions.lease_until END,
        wake_at = CASE WHEN meant.status = 'waiting' AND NOT meant.ready AND executions.suspend_requested_at IS NULL THEN meant.first_timer END,
        queued_at = CASE WHEN meant.ready OR meant.status = 'halted' THEN clock_timestamp() ELSE executions.queued_at END,
        completed_at = CASE WHEN meant.status IN ('completed', 'failed', 'rejected') THEN now() END
      FROM meant
      WHERE executions.id = meant.id AND executions.epoch = meant.epoch AND executions.lease_until IS NOT NULL
      RETURNING executions.id, executions.status, executions.lane, executions.causation, executions.completed_at IS NOT NULL AS ended,
        executions.suspended_at IS NOT NULL AS suspended
    ),
    traced AS (${traceSteps(steps)}),
    timers_set AS (
      INSERT INTO execution_timers (execution_id, timer, fire_at)
      SELECT t.id, t.timer, t.fire_at FROM set_timers AS t JOIN moved ON moved.id = t.id WHERE NOT moved.ended
      ON CONFLICT (execution_id, timer) DO UPDATE SET fire_at = excluded.fire_at, fired_at = NULL
    ),
    timers_fired AS (
      UPDATE execution_timers AS t SET fired_at = now() FROM gone JOIN moved ON moved.id = gone.id
      WHERE gone.fired AND t.execution_id = gone.id AND t.timer = gone.timer
    ),
    timers_ended AS (
      DELETE FROM execution_timers AS t USING moved
      WHERE t.execution_id = moved.id AND t.fired_at IS NULL AND ((moved.ended AND NOT EXISTS (
        SELECT FROM gone WHERE gone.id = t.execution_id AND gone.timer = t.timer AND gone.fired
      )) OR EXISTS (
        SELECT FROM gone WHERE gone.id = t.execution_id AND gone.timer = t.timer AND NOT gone.fired
      ))
    ),
    waits_set AS (
      INSERT INTO execution_waits (execution_id, wait, step, mode, filters, event_types, lane)
      SELECT w.id, w.wait, w.step, w.mode, w.filters::json, string_to_array(w.types, E'\\x01'), moved.lane
      FROM unnest(${executionsOf(waits)}::text[], ${partColumn(waits, 'wait')}::text[], ${partColumn(waits, 'step')}::text[],
        ${partColumn(waits, 'mode')}::text[], ${partColumn(waits, 'filters')}::text[],
        ${arrayText(waits.map(({ of }) => of.eventTypes.join('\u0001')))}::text[]) AS w (id, wait, step, mode, filters, types)
      JOIN moved ON moved.id = w.id WHERE NOT moved.ended
      ON CONFLICT (execution_id, wait) DO UPDATE SET filters = excluded.filters, event_types = excluded.event_types, searched = false
    ),
    approvals_set AS (
      INSERT INTO execution_approvals (execution_id, wait, policy)
      SELECT a.id, a.wait, a.policy::jsonb
      FROM unnest(${executionsOf(guarded)}::text[], ${partColumn(guarded, 'wait')}::text[], ${partColumn(guarded, 'approval')}::text[]) AS a (id, wait, policy)
      JOIN moved ON moved.id = a.id WHERE NOT moved.ended
      ON CONFLICT (execution_id, wait) DO UPDATE SET policy = excluded.policy
    ),
    waits_ended AS (
      DELETE FROM execution_waits AS w USING moved
      WHERE w.execution_id = moved.id AND (moved.ended OR EXISTS (
        SELECT FROM unnest(${executionsOf(endedWaits)}::text[], ${partColumn(endedWaits, 'wait')}::text[]) AS e (id, wait)
        WHERE e.id = w.execution_id AND e.wait = w.wait
      ))
    ),
    signals_told AS (
      UPDATE execution_signals AS s SET delivered = true, consumed = taken.consumed FROM taken JOIN moved ON moved.id = taken.id WHERE s.id = taken.signal
    ),
    events_sent AS (
      INSERT INTO execution_events (source, event_id, type, lane, causation, event)
      SELECT e.source, e.event_id, e.type, moved.lane, moved.causation, e.event::json
      FROM unnest(${executionsOf(events)}::text[], ${partColumn(events, 'source')}::text[], ${partColumn(events, 'eventId')}::text[],
        ${partColumn(events, 'type')}::text[], ${partColumn(events, 'event')}::text[]) AS e (id, source, event_id, type, event)
      JOIN moved ON moved.id = e.id
      ON CONFLICT DO NOTHING
    ),
    replies_kept AS (
      UPDATE execution_replies AS k SET event = r.event::json, replied_at = now()
      FROM (
        SELECT DISTINCT ON (id, event_id) id, event_id, event
        FROM unnest(${executionsOf(replies)}::text[], ${partColumn(replies, 'repliesTo')}::text[],
          ${arrayText(replies.map(({ of }) => (isKeptReply(of) ? of.event : null)))}::text[]) WITH ORDINALITY AS given_replies (id, event_id, event, n)
        ORDER BY id, event_id, n
      ) AS r JOIN moved ON moved.id = r.id
      WHERE k.execution_id = r.id AND k.event_id = r.event_id AND k.replied_at IS NULL
    )
    SELECT id, status, suspended FROM moved`.execute(db);
  return rows;
}

/** Returns the writes as rows, without the parts that have separate rows. */
function givenRows(writes: readonly ExecutionWrite[]): RawBuilder<unknown> {
  return sql`
      SELECT * FROM unnest(${columnOf(writes, 'id')}::text[], ${columnOf(writes, 'epoch')}::int[], ${columnOf(writes, 'status')}::text[],
        ${columnOf(writes, 'state')}::text[], ${columnOf(writes, 'stateFile')}::text[], ${columnOf(writes, 'result')}::text[],
        ${columnOf(writes, 'resultFile')}::text[], ${columnOf(writes, 'error')}::text[], ${arrayText(writes.map(writtenBytes))}::bigint[])
        AS given (id, epoch, status, state, state_file, result, result_file, error, bytes)
      LIMIT ${writes.length}`;
}
