import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Memory of one process, read from /proc. */
export interface ProcessMemory {
  readonly pid: number;
  readonly command: string;
  /** True for PostgreSQL and ClickHouse, which are reported only. The budget applies to the other processes. */
  readonly engine: boolean;
  readonly rssBytes: number;
  /** Peak RSS since the process began, or since `resetPeaks`. */
  readonly peakBytes: number;
  /** Processor time used. */
  readonly cpuSeconds: number;
}

/** Returns the process and all of its descendants that are running. */
export function memoryOfTree(root: number): ProcessMemory[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : undefined;
    const parent = stat === undefined ? undefined : /^\) \S (\d+)/.exec(stat.slice(stat.lastIndexOf(')')))?.[1];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  const belongs = (pid: number): boolean => pid === root || (parents.has(pid) && belongs(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(belongs).flatMap((pid) => memoryOf(pid) ?? []);
}

/** Resets the peak RSS that the kernel records for these processes. */
export function resetPeaks(root: number): void {
  for (const { pid } of memoryOfTree(root)) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      // The process has ended, or belongs to another user, as engines may.
    }
  }
}

function memoryOf(pid: number): ProcessMemory | undefined {
  const status = read(`/proc/${pid}/status`);
  const command = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
  if (status === undefined || command === undefined) return undefined;
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return {
    pid,
    command: command.slice(0, 200),
    engine: /clickhouse|postgres/.test(command),
    rssBytes: bytesOf('VmRSS'),
    peakBytes: bytesOf('VmHWM'),
    cpuSeconds: cpuSecondsOf(pid),
  };
}

function cpuSecondsOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  // Fields 14 and 15, in 1/100 s. Field 2, the name, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Undefined if the process has ended. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
