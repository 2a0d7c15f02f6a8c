import { type RawBuilder, sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { positionOfNew } from '../store/queue-position.ts';
import type { DeclaredLimits } from './declared-limits.ts';
import type { VersionLimits } from './start-limits.ts';

/** The starts of a workflow to admit: all, or those with these keys. */
export interface AdmissionTarget {
  readonly workflowId: string;
  readonly slotKey?: string | undefined;
  readonly rateKey?: string | undefined;
}

export interface Admission {
  readonly admitted: number;
  /** Caller-supplied concurrency keys that the admitted executions now wait for. */
  readonly callerKeys: readonly string[];
  /** True if another pass may admit more. */
  readonly more: boolean;
}

const MAX_ADMITTED = 200;
const NOTHING: Admission = { admitted: 0, callerKeys: [], more: false };
/** SQL condition: a start that is not admitted, cancelled or rejected. */
export const WAITS = sql`admitted_at IS NULL AND released_at IS NULL`;

/** Locks the admissions of a workflow until the transaction ends. Prevents concurrent admissions, merges and pauses. */
export async function lockAdmissions(transaction: Db, workflowId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`admission:${workflowId}`}, 0))`.execute(transaction);
}

/**
 * Admits waiting starts within the limits of the current version, by priority, then in order of acceptance. Admits none
 * while the workflow is paused. Call it after the commit that accepted or ended a start: of two concurrent calls, the
 * later one sees both changes.
 */
export async function admitStarts(
  database: Database,
  versionLimits: VersionLimits,
  target: AdmissionTarget,
): Promise<Admission> {
  const { workflowId } = target;
  return inTransaction(database, async (transaction) => {
    await lockAdmissions(transaction, workflowId);
    // Clears the time of due starts that still wait for a slot or for the end of a pause. `admit` sets it again if a
    // time is known.
    const found = await sql<{ versionId: string; paused: boolean }>`/* prepared: limits-of-workflow */
      WITH due AS (UPDATE execution_admissions SET retry_at = NULL WHERE ${waitingOf(target)} AND retry_at <= clock_timestamp())
      SELECT current_version_id AS version_id, paused_at IS NOT NULL AS paused FROM workflows WHERE id = ${workflowId}`.execute(
      transaction,
    );
    const workflow = found.rows[0];
    if (workflow?.paused) return NOTHING;
    const limits = workflow === undefined ? {} : await versionLimits.of(transaction, workflow.versionId);
    return admit(transaction, target, limits);
  });
}

/** Returns the SQL condition for the waiting starts of a target. */
function waitingOf({ workflowId, ...keys }: AdmissionTarget): RawBuilder<boolean> {
  const { slotKey, rateKey } = { slotKey: keys.slotKey ?? null, rateKey: keys.rateKey ?? null };
  return sql`workflow_id = ${workflowId} AND ${WAITS}
    AND (${slotKey}::text IS NULL OR slot_key = ${slotKey}) AND (${rateKey}::text IS NULL OR rate_key = ${rateKey})`;
}

/** Long: one SQL statement counts, chooses and admits, so all parts see the same rows. */
async function admit(
  transaction: Db,
  target: AdmissionTarget,
  { concurrency, throttle }: DeclaredLimits,
): Promise<Admission> {
  const { workflowId } = target;
  const maxHeld = concurrency?.max ?? null;
  const maxRate = throttle?.max ?? null;
  const period = sql`(${throttle?.periodMs ?? 0}::float8 * interval '1 millisecond')`;
  const those = waitingOf(target);
  const { rows } = await sql<{ admitted: number; callerKeys: string[] }>`/* prepared: admit-starts */
    WITH RECURSIVE pairs AS (
      (SELECT slot_key, rate_key FROM execution_admissions WHERE ${those} ORDER BY slot_key, rate_key LIMIT 1)
      UNION ALL
      SELECT next.slot_key, next.rate_key FROM pairs CROSS JOIN LATERAL (
        SELECT slot_key, rate_key FROM execution_admissions
        WHERE ${those} AND (slot_key, rate_key) > (pairs.slot_key, pairs.rate_key) ORDER BY slot_key, rate_key LIMIT 1
      ) AS next
    ),
    slots AS (
      SELECT slot_key, CASE WHEN slot_key = '' OR ${maxHeld}::int IS NULL THEN ${MAX_ADMITTED}::bigint ELSE greatest(0, ${maxHeld}::int - (
        SELECT count(*) FROM execution_admissions AS held
        WHERE held.workflow_id = ${workflowId} AND held.slot_key = keys.slot_key AND held.admitted_at IS NOT NULL AND held.released_at IS NULL
      )) END AS room FROM (SELECT DISTINCT slot_key FROM pairs) AS keys
    ),
    rates AS (
      SELECT rate_key, CASE WHEN rate_key = '' OR ${maxRate}::int IS NULL THEN ${MAX_ADMITTED}::bigint ELSE greatest(0, ${maxRate}::int - (
        SELECT count(*) FROM execution_admissions AS lately
        WHERE lately.workflow_id = ${workflowId} AND lately.rate_key = keys.rate_key AND lately.rate_key <> ''
          AND lately.admitted_at > clock_timestamp() - ${period}
      )) END AS room,
      CASE WHEN rate_key <> '' AND ${maxRate}::int IS NOT NULL THEN (
        SELECT lately.admitted_at + ${period} FROM execution_admissions AS lately
        WHERE lately.workflow_id = ${workflowId} AND lately.rate_key = keys.rate_key AND lately.rate_key <> '' AND lately.admitted_at IS NOT NULL
        ORDER BY lately.admitted_at DESC OFFSET greatest(0, ${maxRate}::int - 1) LIMIT 1
      ) END AS free_at
      FROM (SELECT DISTINCT rate_key FROM pairs) AS keys
    ),
    heads AS MATERIALIZED (
      SELECT pairs.slot_key, pairs.rate_key, slots.room AS slots, rates.room AS rates, rates.free_at, head.execution_id, head.priority, head.seq
      FROM pairs JOIN slots USING (slot_key) JOIN rates USING (rate_key) CROSS JOIN LATERAL (
        SELECT execution_id, priority, seq FROM execution_admissions AS a
        WHERE a.workflow_id = ${workflowId} AND a.slot_key = pairs.slot_key AND a.rate_key = pairs.rate_key
          AND a.admitted_at IS NULL AND a.released_at IS NULL AND (a.not_before IS NULL OR a.not_before <= clock_timestamp())
        ORDER BY a.priority DESC, a.seq LIMIT greatest(1, least(slots.room, rates.room))
      ) AS head
    ),
    by_rate AS (
      SELECT *, row_number() OVER (PARTITION BY rate_key ORDER BY priority DESC, seq) AS rate_rank FROM heads WHERE slots > 0 AND rates > 0
    ),
    by_slot AS (
      SELECT *, row_number() OVER (PARTITION BY slot_key ORDER BY priority DESC, seq) AS slot_rank FROM by_rate
      WHERE rate_key = '' OR rate_rank <= rates
    ),
    chosen AS (
      SELECT execution_id, priority, seq FROM by_slot WHERE slot_key = '' OR slot_rank <= slots
      ORDER BY priority DESC, seq LIMIT ${MAX_ADMITTED}
    ),
    later AS (
      UPDATE execution_admissions AS a SET retry_at = CASE WHEN heads.slots > 0 AND heads.rates = 0 THEN heads.free_at END
      FROM heads WHERE a.execution_id = heads.execution_id AND a.execution_id <> ALL (ARRAY(SELECT execution_id FROM chosen))
        AND a.retry_at IS DISTINCT FROM CASE WHEN heads.slots > 0 AND heads.rates = 0 THEN heads.free_at END
    ),
    turns AS (
      SELECT e.id, ${positionOfNew(sql`e.lane`, sql`e.priority`)} +
        row_number() OVER (PARTITION BY e.lane, e.priority ORDER BY chosen.seq) - 1 AS turn
      FROM chosen JOIN executions AS e ON e.id = chosen.execution_id
    ),
    moved AS (
      UPDATE executions SET status = CASE WHEN concurrency_key IS NULL THEN 'pending' ELSE status END,
        queued_at = clock_timestamp(), turn = turns.turn,
        trigger_input = coalesce((
          SELECT ('[' || string_agg(items.elements, ',' ORDER BY items.seq) || ']')::json
          FROM execution_batch_items AS items WHERE items.execution_id = executions.id
        ), trigger_input)
      FROM turns WHERE executions.id = turns.id AND executions.status = 'created'
      RETURNING executions.id, executions.concurrency_key
    ),
    unpacked AS (DELETE FROM execution_batch_items AS items USING moved WHERE items.execution_id = moved.id),
    marked AS (
      UPDATE execution_admissions AS a SET admitted_at = clock_timestamp(), retry_at = NULL FROM moved WHERE a.execution_id = moved.id
    )
    SELECT count(*) AS admitted, coalesce(array_agg(DISTINCT concurrency_key) FILTER (WHERE concurrency_key IS NOT NULL), '{}') AS caller_keys
    FROM moved`.execute(transaction);
  const { admitted = 0, callerKeys = [] } = rows[0] ?? {};
  // The pairwise limits may leave capacity unused, which the next pass finds. The loop ends with a pass that admits
  // nothing.
  return { admitted: Number(admitted), callerKeys, more: Number(admitted) > 0 };
}

/** Returns the workflows with waiting starts. */
export async function workflowsWithWaiting(db: Db): Promise<string[]> {
  const { rows } = await sql<{ workflowId: string }>`/* prepared: workflows-with-waiting */
    WITH RECURSIVE found AS (
      (SELECT workflow_id FROM execution_admissions WHERE ${WAITS} ORDER BY workflow_id LIMIT 1)
      UNION ALL
      SELECT (SELECT a.workflow_id FROM execution_admissions AS a
        WHERE a.admitted_at IS NULL AND a.released_at IS NULL AND a.workflow_id > found.workflow_id ORDER BY a.workflow_id LIMIT 1)
      FROM found WHERE found.workflow_id IS NOT NULL
    )
    SELECT workflow_id FROM found WHERE workflow_id IS NOT NULL`.execute(db);
  return rows.map(({ workflowId }) => workflowId);
}

/** Returns the workflows with due starts: a debounce or batch has ended, or a throttle has capacity. */
export async function workflowsWithDue(db: Db): Promise<string[]> {
  const { rows } = await sql<{ workflowId: string }>`/* prepared: workflows-with-due */
    SELECT DISTINCT workflow_id FROM (
      SELECT workflow_id FROM execution_admissions WHERE ${WAITS} AND retry_at <= clock_timestamp() ORDER BY retry_at LIMIT 1000
    ) AS due`.execute(db);
  return rows.map(({ workflowId }) => workflowId);
}

/** Returns the limit keys of an execution, or undefined if it has no limits. */
export async function targetOf(db: Db, executionId: string): Promise<AdmissionTarget | undefined> {
  const { rows } = await sql<{ workflowId: string; slotKey: string }>`/* prepared: admission-target */
    SELECT workflow_id, slot_key FROM execution_admissions WHERE execution_id = ${executionId}`.execute(db);
  return rows[0];
}

/** Returns true if the execution, or an ancestor that waits for it, holds a slot. */
export async function holdsSlot(db: Db, executionId: string): Promise<boolean> {
  const { rows } = await sql`/* prepared: holds-slot */
    WITH RECURSIVE above AS (
      SELECT id, parent_id, awaited FROM executions WHERE id = ${executionId}
      UNION ALL
      SELECT e.id, e.parent_id, e.awaited FROM above JOIN executions AS e ON e.id = above.parent_id WHERE above.awaited
    )
    SELECT FROM above JOIN execution_admissions AS a ON a.execution_id = above.id
    WHERE a.slot_key <> '' AND a.released_at IS NULL LIMIT 1`.execute(db);
  return rows.length > 0;
}
