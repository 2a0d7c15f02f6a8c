import { readFile } from 'node:fs/promises';

/** Sends a signal to a process and to all that it has started, parents first: what is stopped starts no more. */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => signalTree(Number(child), signal)),
  );
}
