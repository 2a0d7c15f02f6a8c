import { readdirSync, readFileSync } from 'node:fs';

/** Kernel ticks a second in /proc/PID/stat: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Processor time a process has used so far, all its threads. Seconds; 0 for one that is not there. */
export function cpuSeconds(pid: number | undefined): number {
  const fields = statFields(pid);
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The most memory a process ever had resident, MiB. */
export function peakMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** The memory a process has resident now, MiB. */
export function currentMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

export interface StorePids {
  readonly broker: number | undefined;
  readonly engine: number | undefined;
}

/** The stores among this process's descendants; undefined for those that run elsewhere (containers, other machines). */
export function findStores(): StorePids {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statFields(Number(name))?.[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const ours = [...parents.keys()].filter((pid) => descends(pid, parents));
  // Not the shell that supervises it: that names the program among its arguments, too.
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

/** Fields of /proc/PID/stat after the name: [0] is the state, [1] the parent. */
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
