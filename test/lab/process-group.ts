import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process that was started `detached`, with all processes that it and its children forked. */
export async function endGroup(leader: ChildProcess): Promise<void> {
  const ended = leader.exitCode === null && leader.signalCode === null ? once(leader, 'exit') : undefined;
  try {
    process.kill(-(leader.pid as number), 'SIGKILL');
  } catch (error) {
    // All of them have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await ended;
}
