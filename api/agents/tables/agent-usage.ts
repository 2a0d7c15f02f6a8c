import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from './agents.ts';

/** Sums over the runs of one version of the workspace with one model. */
export interface UsageRow {
  readonly version: number;
  /** Null for a script, or a run that ended before its first model call. */
  readonly model: string | null;
  readonly runs: number;
  readonly ended: number;
  /** Number of ended runs that used a model and whose cost is unknown. */
  readonly unpricedRuns: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly durationMs: number;
  /** Credits of the runs with a known cost. */
  readonly credits: number;
}

export interface UsageQuery {
  readonly agentId: string;
  readonly viewer: Viewer;
  readonly from: Date;
  readonly to: Date;
  /** Maximum number of runs to sum, newest first. */
  readonly scanLimit: number;
}

/** Returns the usage of runs of an agent created in a period, by version and model, newest version first. */
export async function sumUsage(
  db: Db,
  { agentId, viewer, from, to, scanLimit }: UsageQuery,
): Promise<{ readonly rows: UsageRow[]; readonly scanLimited: boolean }> {
  const own = viewer.all ? sql`true` : sql`owner_id = ${viewer.userId}::uuid`;
  const amount = (name: string) => sql`coalesce(sum((cost ->> ${sql.lit(name)})::float8), 0)::float8`;
  const { rows } = await sql<UsageRow & { scanned: number }>`
    WITH looked AS (
      SELECT workspace_version, model, started_at, completed_at, cost FROM agent_executions
      WHERE agent_id = ${agentId} AND created_at >= ${from} AND created_at <= ${to} AND ${own}
      ORDER BY created_at DESC, execution_id DESC LIMIT ${scanLimit + 1}
    ), summed AS (SELECT * FROM looked LIMIT ${scanLimit})
    SELECT workspace_version AS version, model, count(*)::int AS runs, count(completed_at)::int AS ended,
      count(*) FILTER (WHERE completed_at IS NOT NULL AND started_at IS NOT NULL AND model IS NOT NULL AND cost ->> 'credits' IS NULL)::int AS unpriced_runs,
      ${amount('inputTokens')} AS input_tokens, ${amount('cachedInputTokens')} AS cached_input_tokens,
      ${amount('outputTokens')} AS output_tokens, ${amount('steps')} AS steps, ${amount('toolCalls')} AS tool_calls,
      ${amount('durationMs')} AS duration_ms, ${amount('credits')} AS credits,
      (SELECT count(*)::int FROM looked) AS scanned
    FROM summed GROUP BY workspace_version, model
    ORDER BY workspace_version DESC, model NULLS LAST`.execute(db);
  const found = rows.map(({ scanned: _, ...row }) => row);
  return { rows: found, scanLimited: (rows[0]?.scanned ?? 0) > scanLimit };
}
