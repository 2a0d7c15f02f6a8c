import { sql } from 'kysely';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { limitsOf } from '#api/executions/limits/declared-limits.ts';
import { evaluateLimits, type FindStartLimits } from '#api/executions/limits/start-limits.ts';
import type { Database } from '#api/postgres/database.ts';
import { release } from '#test/api/workflows/triggers/trigger-fixture.ts';

const MAX_HELD = 2;
const MAX_RATE = 6;
const PERIOD_MS = 1_000;

/** Workflow whose starts are batched in threes and throttled. At most two executions with one key run at a time. */
const LIMITED: WorkflowDefinition = {
  document: {
    dsl: '1.0.0',
    namespace: 'oracle',
    name: 'limited',
    version: '1.0.0',
    metadata: {
      limits: {
        concurrency: { max: MAX_HELD, key: '.' },
        throttle: { max: MAX_RATE, period: { milliseconds: PERIOD_MS } },
        batch: { max: 3, period: { seconds: 1 } },
      },
    },
  },
  do: [],
};

export interface LimitedWorkflow {
  readonly workflowId: string;
  readonly startLimits: FindStartLimits;
}

/**
 * Releases the limited workflow. Workers read the limits from the database; the oracle, which accepts the runs,
 * evaluates the keys. The key of an input is its number modulo three.
 */
export async function releaseLimited(database: Database): Promise<LimitedWorkflow> {
  const { workflowId } = await release(database, LIMITED);
  const evaluate = async (_expression: string, input: JsonValue) => (input as { n: number }).n % 3;
  return {
    workflowId,
    startLimits: async (start) =>
      start.workflowId === workflowId ? evaluateLimits(limitsOf(LIMITED as JsonValue), start, evaluate) : undefined,
  };
}

/**
 * Returns descriptions of the violations of these invariants:
 *
 * - the number of executions of one key that are admitted and have not ended never exceeds the limit, in the order that
 *   the database recorded;
 * - the throttle limit is exceeded in no period;
 * - every accepted input is in exactly one execution.
 */
export async function problemsOfLimits(
  database: Database,
  { workflowId }: LimitedWorkflow,
  accepted: readonly number[],
): Promise<string[]> {
  return [
    ...(await problemsOfSlots(database, workflowId)),
    ...(await problemsOfRate(database, workflowId)),
    ...(await problemsOfInputs(database, workflowId, accepted)),
  ];
}

async function problemsOfSlots(database: Database, workflowId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string; step: number }>`
    SELECT a.slot_key AS key, CASE WHEN c.from_status = 'created' AND c.to_status = 'pending' THEN 1 ELSE -1 END AS step
    FROM execution_admissions AS a JOIN execution_changes AS c ON c.execution_id = a.execution_id
    WHERE a.workflow_id = ${workflowId} AND ((c.from_status = 'created' AND c.to_status = 'pending')
      OR (c.from_status <> 'created' AND c.to_status IN ('completed', 'failed', 'cancelled', 'rejected')))
    ORDER BY c.seq`.execute(database);
  const held = new Map<string, number>();
  const problems: string[] = [];
  for (const { key, step } of rows) {
    held.set(key, (held.get(key) ?? 0) + step);
    if ((held.get(key) ?? 0) > MAX_HELD) problems.push(`more than ${MAX_HELD} executions with the key ${key} at once`);
  }
  for (const [key, left] of held) if (left !== 0) problems.push(`${left} slots of the key ${key} were not released`);
  return problems;
}

async function problemsOfRate(database: Database, workflowId: string): Promise<string[]> {
  const { rows } = await sql<{ at: Date }>`
    SELECT admitted_at AS at FROM execution_admissions WHERE workflow_id = ${workflowId} AND admitted_at IS NOT NULL ORDER BY admitted_at`.execute(
    database,
  );
  return rows.flatMap(({ at }, index) => {
    const later = rows[index + MAX_RATE];
    return later !== undefined && later.at.getTime() - at.getTime() < PERIOD_MS
      ? [`more than ${MAX_RATE} executions were admitted within ${PERIOD_MS} ms`]
      : [];
  });
}

async function problemsOfInputs(
  database: Database,
  workflowId: string,
  accepted: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string; input: JsonValue; items: string | null }>`
    SELECT id, trigger_input AS input, (
      SELECT string_agg(elements, ',') FROM execution_batch_items WHERE execution_id = executions.id
    ) AS items FROM executions WHERE workflow_id = ${workflowId}`.execute(database);
  const found = rows.flatMap(({ input, items }) => {
    const all = items === null ? input : (JSON.parse(`[${items}]`) as JsonValue);
    return (Array.isArray(all) ? all : [all]).map((one) => (one as { n: number }).n);
  });
  const counts = Map.groupBy(found, (n) => n);
  const problems = accepted.flatMap((n) => {
    const times = counts.get(n)?.length ?? 0;
    return times === 1 ? [] : [`input ${n} is in ${times} executions`];
  });
  // Without data the checks prove nothing.
  return accepted.length === 0 ? ['no limited execution was accepted'] : problems;
}
