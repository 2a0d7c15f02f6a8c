import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import { sql } from 'kysely';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { textTable } from '#deploy/cli/executions/text-table.ts';
import { waitFor } from '../support/wait-for.ts';
import { ended, enqueue, expectCompleted } from './execution-queue.ts';
import { all, type WorkerProcess } from './execution-workers.ts';
import { measureRound, type Round, type System, warmUp } from './executions-rounds.ts';
import { DBOS_APPLICATION, DBOS_QUEUE, STEPS, type Workload } from './executions-workloads.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const ENGINE = fileURLToPath(new URL('executions-process.ts', import.meta.url));
const GRAPHILE = fileURLToPath(new URL('executions-graphile.ts', import.meta.url));
const DBOS = fileURLToPath(new URL('executions-dbos.ts', import.meta.url));

export interface ComparisonDeps {
  readonly database: Database;
  readonly url: string;
  /** Number of engine workers. */
  readonly own: readonly WorkerProcess[];
  readonly start: (file: string) => WorkerProcess;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/** The engine alternating with graphile-worker and DBOS, all warm: runs per second, and processor time per run. */
export async function compareSystems({
  database,
  url,
  own,
  start,
  rounds,
  progress,
}: ComparisonDeps): Promise<BenchRow[]> {
  // Polls for the end of the runs. Its processor time is excluded, because its queries are relatively expensive while
  // rounds are short.
  const watch = createDatabase({ url, connections: 1 });
  const dbos = await DBOSClient.create({ systemDatabaseUrl: url, applicationName: DBOS_APPLICATION });
  try {
    const graphileWorkers = [start(GRAPHILE), start(GRAPHILE)];
    const dbosWorkers = [start(DBOS), start(DBOS)];
    // The first start creates the tables.
    for (const workers of [graphileWorkers, dbosWorkers.slice(0, 1), dbosWorkers.slice(1)]) {
      await all(workers, 'start');
      await all(workers, 'stop');
    }
    await createGraphileTables(database);
    const four = [...own, start(ENGINE), start(ENGINE)];
    const systems: System[] = [
      { name: 'Trapline', isRival: false, workers: own, ...engine(database, watch) },
      { name: 'Trapline, 4 workers', isRival: false, workers: four, ...engine(database, watch) },
      { name: 'graphile-worker', isRival: true, workers: graphileWorkers, ...graphile(database, watch) },
      { name: 'DBOS', isRival: true, workers: dbosWorkers, ...ofDbos(database, watch, dbos) },
    ];
    const reported = (workload: Workload, { name }: System, round: Round, what = 'round') => {
      const spent = `${round.workers.toFixed(2)} + ${round.postgres.toFixed(2)} ms a run`;
      const load = loadavg()[0]?.toFixed(1);
      progress(
        `${STEPS[workload]} steps by ${name}, ${what}: ${Math.round(round.rate)} runs/s, ${spent} (load ${load})`,
      );
      return round;
    };
    const measured = [];
    for (const workload of ['three', 'ten'] as const) {
      const results: Result[] = [];
      for (const system of systems) {
        const first = await warmUp(watch, system, workload);
        results.push({ system, first: reported(workload, system, first, 'first round'), rounds: [] });
      }
      for (let round = 0; round < rounds; round += 1)
        for (const { system, rounds: measuredRounds } of results)
          measuredRounds.push(reported(workload, system, await measureRound(watch, system, workload)));
      measured.push({ workload, results });
    }
    const table = tableOf(measured);
    return measured.flatMap(({ workload, results: [ours, ...others] }, at) =>
      others
        .filter(({ system }) => system.isRival)
        .map(({ system, rounds: theirs }, column, rivals) => ({
          ...ratioRow(
            `executions: ${describe(workload)}, 2 workers, against ${system.name}`,
            'runs/s',
            median((ours?.rounds ?? []).map(({ rate }) => rate)),
            median(theirs.map(({ rate }) => rate)),
            1,
          ),
          ...(at === measured.length - 1 && column === rivals.length - 1 ? { details: table } : {}),
        })),
    );
  } finally {
    await dbos.destroy();
    await watch.destroy();
  }
}

interface Result {
  readonly system: System;
  /** The first round of new processes, which is not counted. */
  readonly first: Round;
  readonly rounds: Round[];
}

const describe = (workload: Workload) =>
  workload === 'three' ? '3 trivial steps' : '10 trivial steps, 8 of them at once';

function tableOf(
  measured: readonly {
    readonly workload: Workload;
    readonly results: readonly Result[];
  }[],
): string[] {
  const medianOf = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of)).toFixed(2);
  const lines = measured.flatMap(({ workload, results }) =>
    results.map(({ system, first, rounds }) => [
      String(STEPS[workload]),
      system.name,
      String(Math.round(first.rate)),
      rounds.map(({ rate }) => Math.round(rate)).join(', '),
      medianOf(rounds, ({ workers }) => workers),
      medianOf(rounds, ({ postgres }) => postgres),
      medianOf(rounds, ({ workers, postgres }) => workers + postgres),
    ]),
  );
  const titles = [
    'STEPS',
    'SYSTEM',
    'COLD RUNS/S',
    'RUNS/S BY ROUND',
    'WORKERS, MS A RUN',
    'POSTGRESQL, MS A RUN',
    'BOTH',
  ];
  return textTable(titles, lines).trimEnd().split('\n');
}

function engine(database: Database, watch: Database): Pick<System, 'queue' | 'ended' | 'verify'> {
  return {
    queue: (workload, count) => enqueue(database, count, workload),
    ended: () => ended(watch),
    verify: () => expectCompleted(watch),
  };
}

async function createGraphileTables(database: Database): Promise<void> {
  await sql`
    CREATE TABLE bench_runs (id text PRIMARY KEY, status text NOT NULL, state jsonb, created_at timestamptz DEFAULT now())`.execute(
    database,
  );
  await sql`
    CREATE TABLE bench_steps (run_id text NOT NULL, step text NOT NULL, output jsonb, at timestamptz DEFAULT now(), PRIMARY KEY (run_id, step))`.execute(
    database,
  );
}

function graphile(database: Database, watch: Database): Pick<System, 'queue' | 'ended'> {
  return {
    async queue(workload, count) {
      await sql`TRUNCATE bench_runs, bench_steps`.execute(database);
      await sql`
        INSERT INTO bench_runs (id, status) SELECT 'run ' || n, 'pending' FROM generate_series(1, ${count}::int) AS n`.execute(
        database,
      );
      await sql`SELECT graphile_worker.add_job(${workload}, json_build_object('id', id)) FROM bench_runs`.execute(
        database,
      );
    },
    ended: () => waitUntilNone(() => sql`SELECT FROM bench_runs WHERE status <> 'completed' LIMIT 1`.execute(watch)),
  };
}

function ofDbos(database: Database, watch: Database, client: DBOSClient): Pick<System, 'queue' | 'ended'> {
  return {
    async queue(workload, count) {
      await sql`TRUNCATE dbos.workflow_status CASCADE`.execute(database);
      const options = { queueName: DBOS_QUEUE, workflowName: workload, appVersion: DBOS_APPLICATION };
      await Promise.all(Array.from({ length: count }, () => client.enqueue(options, { host: 'web-1' })));
    },
    ended: () =>
      waitUntilNone(() => sql`SELECT FROM dbos.workflow_status WHERE status <> 'SUCCESS' LIMIT 1`.execute(watch)),
  };
}

async function waitUntilNone(find: () => Promise<{ readonly rows: readonly unknown[] }>): Promise<void> {
  await waitFor('the runs to end', async () => (await find()).rows.length === 0, { timeoutMs: 120_000 });
}
