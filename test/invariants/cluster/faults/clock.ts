import { setTimeout as pause } from 'node:timers/promises';
import { setClock } from '../set-clock.ts';
import type { Apply } from './fault.ts';

/** Shifts the clock of one process by an offset, and back after a while. The monotonic clock is unaffected. */
export const stepClock: Apply = async ({ ms, offsetSeconds = 0 }, [actor]) => {
  if (actor?.clock === undefined) return;
  await setClock(actor.clock, offsetSeconds);
  await pause(ms);
  await setClock(actor.clock, 0);
  await actor.serve();
};
