import { readFile } from 'node:fs/promises';
import { sendSignal } from './send-signal.ts';

/**
 * Sends a signal to a process and all of its descendants, parents first: a stopped process starts no further children,
 * and a killed process has no children.
 */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const before = await childrenOf(pid);
  await sendSignal(pid, signal);
  const children = new Set([...before, ...(await childrenOf(pid))]);
  await Promise.all([...children].map((child) => signalTree(child, signal)));
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}
