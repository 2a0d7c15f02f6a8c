import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { StepStatus } from '../engine/contract/port.ts';
import type { WorkflowError } from '../engine/contract/workflow-error.ts';
import type { JsonValue } from '../json-value.ts';
import type { LogLine } from '../sandbox/port.ts';
import type { TraceEntry } from '../watch/port.ts';

/** Maximum entries per result. A full result may be followed by more. */
export const MAX_ENTRIES = 500;
/** Maximum size in bytes of an included output. Longer ones are omitted. */
const MAX_OUTPUT = 64 * 1024;

interface TraceRow {
  readonly kind: 'status' | 'step' | 'line';
  readonly executionId: string;
  readonly seq: number;
  readonly from: ExecutionStatus | null;
  readonly status: string;
  readonly at: Date;
  readonly step: string;
  readonly name: string;
  readonly taskKind: string;
  readonly attempt: number;
  readonly output: JsonValue | null;
  readonly hasOutput: boolean;
  readonly error: WorkflowError | null;
  readonly endedAt: Date | null;
  readonly began: number;
  readonly parentStep: string | null;
  readonly parentAttempt: number | null;
  readonly level: LogLine['level'];
  readonly text: string;
}

/**
 * SQL: the parent of step `s`, which is the step with the longest path that contains it. Of several attempts, it is the
 * latest that began before `s`. Steps of earlier versions, which have no order, may precede all of these. Their parent
 * is the first attempt.
 */
const parentOf = sql`
  SELECT above.step, above.attempt FROM execution_steps AS above
  WHERE above.execution_id = s.execution_id AND above.step = ANY (ARRAY(
    SELECT array_to_string((string_to_array(s.step, '/'))[1:length], '/')
    FROM generate_series(2, cardinality(string_to_array(s.step, '/')) - 1) AS length))
  ORDER BY length(above.step) DESC, CASE WHEN above.began < s.began THEN above.began END DESC NULLS LAST, above.attempt LIMIT 1`;

/**
 * Returns the trace entries of these executions after a position, oldest first. A step is returned in its current
 * state, and only once even if it changed twice.
 */
export async function traceAfter(
  db: Db,
  wanted: readonly { readonly id: string; readonly after: number }[],
): Promise<TraceEntry[]> {
  const { rows } = await sql<TraceRow>`/* prepared: trace-after */
    WITH wanted AS (
      SELECT * FROM unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ after }) => after)}::bigint[]) AS w (id, after)
    )
    SELECT * FROM (
      SELECT 'status' AS kind, c.execution_id, c.seq, c.from_status AS from, c.to_status AS status, c.at, NULL AS step, NULL AS name,
        NULL AS task_kind, NULL::int AS attempt, NULL::json AS output, false AS has_output, NULL::json AS error, NULL::timestamptz AS ended_at,
        NULL::bigint AS began, NULL AS parent_step, NULL::int AS parent_attempt, NULL AS level, NULL AS text
      FROM wanted CROSS JOIN LATERAL (
        SELECT * FROM execution_changes WHERE execution_id = wanted.id AND seq > wanted.after
      ) AS c
      UNION ALL
      SELECT 'step', s.execution_id, s.changed, NULL, s.status, s.started_at, s.step, s.name, s.kind, s.attempt,
        CASE WHEN octet_length(s.output::text) <= ${MAX_OUTPUT} THEN s.output END, s.output IS NOT NULL AND octet_length(s.output::text) <= ${MAX_OUTPUT},
        s.error, s.ended_at, s.began, parent.step, parent.attempt, NULL, NULL
      FROM wanted CROSS JOIN LATERAL (
        SELECT * FROM execution_steps WHERE execution_id = wanted.id AND changed > wanted.after
      ) AS s
      LEFT JOIN LATERAL (${parentOf}) AS parent ON true
      UNION ALL
      SELECT 'line', l.execution_id, l.seq, NULL, NULL, l.at, l.step, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, l.level, l.text
      FROM wanted CROSS JOIN LATERAL (
        SELECT * FROM execution_lines WHERE execution_id = wanted.id AND seq > wanted.after
      ) AS l
    ) AS entries
    ORDER BY seq LIMIT ${MAX_ENTRIES}`.execute(db);
  return rows.map(entryOf);
}

function entryOf(row: TraceRow): TraceEntry {
  const { executionId, seq } = row;
  if (row.kind === 'status')
    return { kind: 'status', executionId, seq, from: row.from, status: row.status as ExecutionStatus, at: row.at };
  if (row.kind === 'line') {
    const { step, level, text, at } = row;
    return { kind: 'line', executionId, seq, step, level, text, at };
  }
  return {
    kind: 'step',
    executionId,
    seq,
    step: row.step,
    name: row.name,
    taskKind: row.taskKind,
    status: row.status as StepStatus,
    attempt: row.attempt,
    ...(row.hasOutput ? { output: row.output } : {}),
    ...(row.error === null ? {} : { error: row.error }),
    sequence: row.began,
    parent:
      row.parentStep === null || row.parentAttempt === null
        ? null
        : { step: row.parentStep, attempt: row.parentAttempt },
    startedAt: row.at,
    endedAt: row.endedAt,
  };
}

/** Returns the executions that have ended or no longer exist. */
export async function endedOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* prepared: ended-executions */
    SELECT wanted.id FROM unnest(${ids}::text[]) AS wanted (id) LEFT JOIN executions AS e ON e.id = wanted.id
    WHERE e.id IS NULL OR e.completed_at IS NOT NULL`.execute(db);
  return rows.map(({ id }) => id);
}
