import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Executions } from '#api/executions/engine/executions.ts';
import type { Database } from '#api/postgres/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { ended, expectCompleted } from './execution-queue.ts';
import { all, type WorkerProcess } from './execution-workers.ts';
import type { ExecutionsAnswer } from './executions-process.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

const PER_SECOND = 100;
const ACCEPT_SECONDS = 8;
const FIRST_MESSAGES = 20;

/** A request to run one of the definitions of `executions-process.ts`. */
export const newRun = (versionId: string) => ({
  kind: 'workflow' as const,
  workflowId: 'wf_bench',
  versionId,
  ownerId: null,
  triggerType: 'api',
  input: { host: 'web-1' },
});

/** Executions accepted at a steady rate: duration of accepting, delay until a worker begins, and cost of a step. */
export async function latencies(
  database: Database,
  executions: Executions,
  workers: readonly WorkerProcess[],
): Promise<BenchRow[]> {
  await all(workers, 'start');
  const accepted = new Map<string, number>();
  const accepting: number[] = [];
  const asking: number[] = [];
  const begun = new Map<string, number>();
  const heard = (answer: ExecutionsAnswer) => {
    if (answer.answer === 'first') begun.set(answer.id, answer.at);
  };
  for (const { child } of workers) child.on('message', heard);
  const asked: Promise<void>[] = [];
  const startedAt = performance.now();
  const total = PER_SECOND * ACCEPT_SECONDS;
  for (let number = 0; number < total; number += 1) {
    await pause(Math.max(0, startedAt + (number * 1_000) / PER_SECOND - performance.now()));
    asked.push(accept(), ask());
  }
  await Promise.all(asked);
  await waitFor('all of them to begin', () => begun.size === total, { timeoutMs: 30_000 });
  for (const { child } of workers) child.off('message', heard);
  await ended(database);
  await expectCompleted(database);
  // Discards the first requests, for which connections, plans and code were cold.
  const measured = [...accepted].slice(FIRST_MESSAGES);
  const first = measured.map(([id, at]) => (begun.get(id) ?? Number.NaN) - at);
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM completed_at - started_at)::float8 * 1000 / 3 AS ms FROM executions WHERE version_id = 'reporting'`.execute(
    database,
  );
  await all(workers, 'stop');
  return [
    {
      ...boundRow(
        `executions: accepted by the engine at ${PER_SECOND}/s, p99`,
        'ms',
        percentile(accepting.slice(FIRST_MESSAGES), 0.99),
        25,
      ),
      details: [
        `median ${median(accepting).toFixed(1)} ms; SELECT 1 at the same moments: ${median(asking).toFixed(1)} ms, p99 ${percentile(asking.slice(FIRST_MESSAGES), 0.99).toFixed(1)} ms; load ${loadavg()[0]?.toFixed(1)}`,
      ],
    },
    {
      ...boundRow(
        'executions: accepted to first step begun in another process, p99',
        'ms',
        percentile(first, 0.99),
        30,
      ),
      details: [`median ${median(first).toFixed(1)} ms`],
    },
    boundRow("executions: the engine's own time a step, median", 'ms', median(rows.map(({ ms }) => ms)), 10),
  ];

  /** Response time of a trivial request: separates the p99 of a busy machine from ours. */
  async function ask(): Promise<void> {
    const before = performance.now();
    await sql`SELECT 1`.execute(database);
    asking.push(performance.now() - before);
  }

  async function accept(): Promise<void> {
    const before = performance.now();
    const answer = await executions.accept(newRun('reporting'));
    accepting.push(performance.now() - before);
    if (answer.outcome !== 'conflict') accepted.set(answer.id, performance.timeOrigin + performance.now());
  }
}
