import { setTimeout as pause } from 'node:timers/promises';
import { signalTree } from '#test/support/services/signal-tree.ts';
import type { Apply } from './fault.ts';

/** Sends SIGSTOP, and SIGCONT after a while. Connections stay open and requests get no response. */
export const freeze: Apply = async ({ ms }, [actor]) => {
  if (actor === undefined) return;
  const pid = await actor.pid();
  await signalTree(pid, 'SIGSTOP');
  await pause(ms);
  await signalTree(pid, 'SIGCONT');
  await actor.serve();
};
