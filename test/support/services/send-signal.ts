import { readdir, readFile } from 'node:fs/promises';
import { waitFor } from '../wait-for.ts';

/**
 * Sends a signal to a process. Does nothing if the process does not exist. After SIGSTOP, waits until every thread has
 * stopped: threads continue until one of them has handled the signal, which takes a while on a busy machine.
 */
export async function sendSignal(pid: number, signal: NodeJS.Signals): Promise<void> {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  if (signal === 'SIGSTOP') await waitFor(`process ${pid} to stand still`, () => standsStill(pid));
}

async function standsStill(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(
    threads.map(async (thread) => {
      const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
      // "pid (name) state …", where the name may contain parentheses (proc_pid_stat(5)).
      return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
    }),
  );
  return states.every((state) => 'TtZX'.includes(state));
}
