import { setTimeout as pause } from 'node:timers/promises';
import { setClock } from '../set-clock.ts';
import type { Apply } from './fault.ts';

/** Sets the clock of one process by an offset, and back after a while. The monotonic clock goes on. */
export const stepClock: Apply = async ({ ms, offsetSeconds = 0 }, [actor]) => {
  if (actor?.clock === undefined) return;
  await setClock(actor.clock, offsetSeconds);
  await pause(ms);
  await setClock(actor.clock, 0);
  await actor.serve();
};
