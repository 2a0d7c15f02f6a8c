import { readdirSync, readFileSync } from 'node:fs';

/** Seconds that threads of one name were running, and that they were ready to run and waited for a processor. */
export interface ThreadTime {
  readonly running: number;
  readonly waiting: number;
}

/** Times of the threads of processes so far, by the name of the thread. Threads that have ended are not in it. */
export function threadTimes(pids: readonly (number | undefined)[]): Map<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const pid of pids) {
    if (pid === undefined) continue;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const found = timeOf(`/proc/${pid}/task/${task}`);
      if (found === undefined) continue;
      const { name, running, waiting } = found;
      const sum = times.get(name) ?? { running: 0, waiting: 0 };
      times.set(name, { running: sum.running + running, waiting: sum.waiting + waiting });
    }
  }
  return times;
}

/** What passed between two readings, the threads with most of it first. */
export function timesBetween(
  before: ReadonlyMap<string, ThreadTime>,
  after: ReadonlyMap<string, ThreadTime>,
): (ThreadTime & { readonly name: string })[] {
  const passed = [...after].map(([name, { running, waiting }]) => ({
    name,
    running: Math.max(0, running - (before.get(name)?.running ?? 0)),
    waiting: Math.max(0, waiting - (before.get(name)?.waiting ?? 0)),
  }));
  return passed.sort((one, other) => other.running - one.running);
}

function timeOf(folder: string): (ThreadTime & { readonly name: string }) | undefined {
  try {
    const [running, waiting] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ').map(Number);
    const comm = readFileSync(`${folder}/comm`, 'utf8').trim();
    // Threads of a pool differ by their number.
    return { name: comm.replace(/[\s\d#-]+$/, ''), running: (running ?? 0) / 1e9, waiting: (waiting ?? 0) / 1e9 };
  } catch {
    return undefined;
  }
}
