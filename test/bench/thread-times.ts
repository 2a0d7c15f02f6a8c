import { readdirSync, readFileSync } from 'node:fs';

/** Seconds in which threads with one name ran, and in which they were runnable and waited for a processor. */
export interface ThreadTime {
  readonly running: number;
  readonly waiting: number;
}

/** Returns the thread times of processes so far, by thread name. Threads that have ended are not included. */
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

/** Returns the thread times between two readings, the longest running time first. */
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
    // Removes the number of a thread in its pool.
    return { name: comm.replace(/[\s\d#-]+$/, ''), running: (running ?? 0) / 1e9, waiting: (waiting ?? 0) / 1e9 };
  } catch {
    return undefined;
  }
}
