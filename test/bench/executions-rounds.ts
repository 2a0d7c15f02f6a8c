import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import { drain } from './execution-queue.ts';
import type { WorkerProcess } from './execution-workers.ts';
import type { Workload } from './executions-workloads.ts';
import { cpuSeconds, serverCpuSeconds } from './processes.ts';

/** Runs per round: one or two seconds of each system. */
const RUNS: Readonly<Record<Workload, number>> = { three: 3_000, ten: 1_500 };

/** How long a system runs a workload before its rounds are measured: until V8 has compiled most of its code. */
const WARM_UP_SECONDS = 5;

/**
 * A system that runs the workloads with worker processes on the same PostgreSQL. Each step is recorded before the next
 * one begins.
 */
export interface System {
  readonly name: string;
  /** The system with which the engine is compared. */
  readonly isRival: boolean;
  readonly workers: readonly WorkerProcess[];
  /** Queues this many runs of the workload. */
  queue(workload: Workload, count: number): Promise<void>;
  /** Resolves when all runs have ended. */
  ended(): Promise<void>;
  /** Rejects if a run did not succeed. Undefined if `ended` waits for success. */
  verify?(): Promise<void>;
}

export interface Round {
  readonly rate: number;
  /** Processor time per run in milliseconds: of the workers, and of PostgreSQL. */
  readonly workers: number;
  readonly postgres: number;
}

/** Runs rounds until the system is warm. Returns the first one. */
export async function warmUp(watch: Database, system: System, workload: Workload): Promise<Round> {
  const first = await measureRound(watch, system, workload);
  for (let seconds = RUNS[workload] / first.rate; seconds < WARM_UP_SECONDS; )
    seconds += RUNS[workload] / (await measureRound(watch, system, workload)).rate;
  return first;
}

/**
 * Measures one round. The connection of `watch` polls for the end, and is not counted. A checkpoint before the round
 * writes what earlier rounds have changed, possibly those of another system.
 */
export async function measureRound(
  watch: Database,
  { workers, queue, ended, verify }: System,
  workload: Workload,
): Promise<Round> {
  const count = RUNS[workload];
  await queue(workload, count);
  await sql`CHECKPOINT`.execute(watch);
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(watch);
  const spent = async () => ({
    workers: workers.reduce((sum, { child }) => sum + cpuSeconds(child.pid), 0),
    postgres: (await serverCpuSeconds(watch)) - cpuSeconds(rows[0]?.pid),
  });
  const before = await spent();
  const rate = await drain(workers, ended, count);
  const after = await spent();
  await verify?.();
  const msOf = (part: 'workers' | 'postgres') => ((after[part] - before[part]) * 1_000) / count;
  return { rate, workers: msOf('workers'), postgres: msOf('postgres') };
}
