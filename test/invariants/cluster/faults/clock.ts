import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Apply } from './apply.ts';

/** Sets the clock of one process by an offset, and back after a while. The monotonic clock goes on. */
export const stepClock: Apply = async ({ ms, offsetSeconds = 0 }, [actor]) => {
  if (actor?.clock === undefined) return;
  await setClock(actor.clock, offsetSeconds);
  await pause(ms);
  await setClock(actor.clock, 0);
  await actor.serve();
};

/** Writes the offset for libfaketime, which reads the file again within a second. */
export function setClock(file: string, offsetSeconds: number): Promise<void> {
  return writeFile(file, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`);
}
