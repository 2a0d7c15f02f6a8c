import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { freePort } from '../support/services/free-ports.mjs';
import { startPostgres } from '../support/services/postgres.ts';
import { type SupervisedProcess, supervise } from '../support/services/supervised-process.ts';
import { waitFor } from '../support/wait-for.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median } from './statistics.ts';

const SERVER = fileURLToPath(new URL('../invariants/external-workers-server.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('external-worker.ts', import.meta.url));
const WORKERS = 2;
const WARM_UP = 200;
const RUNS = 1_000;
const TASKS_OF_RUN = 2;
const ROUNDS = 3;

/**
 * Measures the tasks of two external workers over HTTP, in separate processes: lease, completion, and the next step of
 * the run.
 */
export async function benchExternalWorkers(): Promise<BenchRow[]> {
  const logs = await mkdtemp(path.join(tmpdir(), 'trapline-bench-workers-'));
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url });
  const processes: SupervisedProcess[] = [];
  const begin = (...args: readonly string[]) =>
    void processes.push(
      supervise({ command: process.execPath, args, logFile: path.join(logs, `${processes.length}.log`) }),
    );
  try {
    await migrateDatabase(database);
    const port = await freePort();
    begin(SERVER, postgres.url, String(port));
    for (let count = 0; count < WORKERS; count += 1) begin(WORKER, `http://127.0.0.1:${port}`);
    await secondsOf(database, WARM_UP);
    const rates: number[] = [];
    const pids = await Promise.all(processes.map(({ pid }) => pid));
    const before = pids.map(cpuSeconds);
    for (let round = 0; round < ROUNDS; round += 1)
      rates.push((RUNS * TASKS_OF_RUN) / (await secondsOf(database, RUNS)));
    const [ofServer = 0, ...ofWorkers] = pids.map(
      (pid, at) => ((cpuSeconds(pid) - (before[at] ?? 0)) * 1_000) / (ROUNDS * RUNS * TASKS_OF_RUN),
    );
    return [
      {
        ...boundRow(`external workers: tasks of ${WORKERS} workers`, 'tasks/s', median(rates), null),
        details: [
          `${rates.map((rate) => rate.toFixed(0)).join(', ')} tasks/s, load ${loadavg()[0]?.toFixed(1)}`,
          `processor time of a task: server ${ofServer.toFixed(1)} ms, workers ${ofWorkers.reduce((sum, one) => sum + one, 0).toFixed(1)} ms`,
        ],
      },
    ];
  } finally {
    await Promise.all(processes.map((one) => one.kill9()));
    await database.destroy();
    await postgres.stop();
    await rm(logs, { recursive: true, force: true });
  }
}

/** Accepts runs. Returns the seconds until the last run has ended. */
async function secondsOf(database: Database, runs: number): Promise<number> {
  const logger = pino({ level: 'silent' });
  const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }) });
  const begun = performance.now();
  const run = { kind: 'workflow', workflowId: 'wf', versionId: 'v', ownerId: null, triggerType: 'api' } as const;
  for (let count = 0; count < runs; count += 50)
    await Promise.all(Array.from({ length: Math.min(50, runs - count) }, () => executions.accept(run)));
  await waitFor(
    'all runs to end',
    async () => {
      const open = database.selectFrom('executions').select('id').where('completedAt', 'is', null).limit(1);
      return (await open.execute()).length === 0;
    },
    { everyMs: 50, timeoutMs: 300_000 },
  );
  return (performance.now() - begun) / 1_000;
}
