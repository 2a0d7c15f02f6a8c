import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';

/** Clock ticks a second in /proc/PID/stat: 100 on every Linux that Node runs on. */
const TICKS = 100;

/**
 * Returns the processor time of all threads of a process so far, in seconds. Returns 0 for a process that does not
 * exist.
 */
export function cpuSeconds(pid: number | undefined): number {
  const fields = statFields(pid);
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/**
 * Returns the processor time of a PostgreSQL server so far, in seconds. Includes all its processes, also those that
 * have ended.
 */
export async function serverCpuSeconds(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database);
  const server = Number(statFields(rows[0]?.pid)?.[1]);
  const children = readdirSync('/proc').filter((name) => Number(statFields(Number(name))?.[1]) === server);
  // User and system time of the server process, then those of its processes that have ended.
  const own = (statFields(server) ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  return children.reduce((sum, pid) => sum + cpuSeconds(Number(pid)), own);
}

/** Returns the peak resident memory of a process, in MiB. */
export function peakMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Returns the current resident memory of a process, in MiB. */
export function currentMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

export interface StorePids {
  readonly broker: number | undefined;
  readonly engine: number | undefined;
}

/**
 * Returns the stores among the descendants of this process. A store that runs elsewhere (container, other machine) is
 * undefined.
 */
export function findStores(): StorePids {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statFields(Number(name))?.[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const ours = [...parents.keys()].filter((pid) => descends(pid, parents));
  // Checks the program too: the shell that supervises a store also has its name among the arguments.
  const find = (program: RegExp, text: string) =>
    ours.find((pid) => {
      const [command = '', ...args] = commandLine(pid);
      return program.test(command) && args.some((argument) => argument.includes(text));
    });
  return { broker: find(/java$/, 'kafka.Kafka'), engine: find(/node$/, 'clickhouse-server.mjs') };
}

function descends(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
    if (at === process.pid) return true;
  }
  return false;
}

/** Returns the fields of /proc/PID/stat after the process name: [0] is the state, [1] the parent. */
function statFields(pid: number | undefined): string[] | undefined {
  if (pid === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
