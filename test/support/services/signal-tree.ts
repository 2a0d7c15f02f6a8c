import { readFile } from 'node:fs/promises';
import { sendSignal } from './send-signal.ts';

/** Sends a signal to a process and to all that it has started, parents first: what is stopped starts no more. */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  await sendSignal(pid, signal);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => signalTree(Number(child), signal)),
  );
}
