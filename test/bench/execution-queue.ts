import { sql } from 'kysely';
import { newExecutionId } from '#api/executions/engine/execution-id.ts';
import type { Database } from '#api/postgres/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { all, type WorkerProcess } from './execution-workers.ts';
import type { Workload } from './executions-workloads.ts';

/** Executions of a round that is measured until all have ended. */
export const DRAINED = 3_000;

/** Inserts executions in the state in which they are accepted. */
export async function enqueue(database: Database, count: number, workload: Workload = 'three'): Promise<void> {
  const ids = Array.from({ length: count }, () => newExecutionId());
  await sql`
    INSERT INTO executions (id, kind, workflow_id, version_id, status, turn, trigger_type, trigger_input, root_id)
    SELECT id, 'workflow', 'wf_bench', ${workload}, 'pending', n, 'api', '{"host": "web-1"}', id
    FROM unnest(${ids}::text[]) WITH ORDINALITY AS given (id, n)`.execute(database);
}

/** Runs per second while the workers process all `count` queued runs, from the moment they have started. */
export async function drain(
  workers: readonly WorkerProcess[],
  done: () => Promise<unknown>,
  count: number = DRAINED,
): Promise<number> {
  await all(workers, 'start');
  const begun = performance.now();
  await done();
  const seconds = (performance.now() - begun) / 1_000;
  await all(workers, 'stop');
  return count / seconds;
}

/** Number of executions that succeeded. */
export async function countCompleted(database: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM executions WHERE status = 'completed'`.execute(
    database,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Resolves when all have ended. The poll uses the partial indexes of queued and of leased executions. Without them, it
 * reads all executions of earlier rounds, and takes the processor from the system that is measured.
 */
export async function ended(database: Database): Promise<void> {
  const open = () =>
    sql`
      (SELECT FROM executions WHERE status = 'pending' ORDER BY priority DESC, turn, queued_at LIMIT 1) UNION ALL
      (SELECT FROM executions WHERE status IN ('running', 'finalizing') ORDER BY queued_at, id LIMIT 1) UNION ALL
      (SELECT FROM executions WHERE status = 'waiting' AND wake_at IS NOT NULL ORDER BY wake_at LIMIT 1)`.execute(
      database,
    );
  await waitFor('the runs to end', async () => (await open()).rows.length === 0, { timeoutMs: 120_000 });
}

/** Rejects if one did not succeed, because a failure takes less time than a measured run. */
export async function expectCompleted(database: Database): Promise<void> {
  const { rows } = await sql<{ id: string; status: string }>`
    SELECT id, status FROM executions WHERE status IN ('failed', 'cancelled', 'rejected') LIMIT 1`.execute(database);
  if (rows[0] !== undefined) throw new Error(`${rows[0].id} ended as ${rows[0].status}`);
}
