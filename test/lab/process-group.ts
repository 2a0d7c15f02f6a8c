import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills a process that was started `detached`, and all processes that it and its children forked. */
export async function endGroup(leader: ChildProcess): Promise<void> {
  const ended = leader.exitCode === null && leader.signalCode === null ? once(leader, 'exit') : undefined;
  try {
    process.kill(-(leader.pid as number), 'SIGKILL');
  } catch (error) {
    // All processes of the group have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await ended;
}
