import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Apply } from './fault.ts';

const BLOCK = 2 ** 20;

/** Fills the disk of a process and frees the space after a while. Restarts the process if it has ended. */
export const fillDisk: Apply = async ({ ms }, [actor]) => {
  if (actor?.disk === undefined) return;
  const filler = path.join(actor.disk, 'filler-of-the-soak');
  const until = performance.now() + ms;
  await fill(filler, actor.disk);
  // Also fills the space that the process frees during the fault.
  while (performance.now() < until) {
    await pause(500);
    await fill(filler, actor.disk);
  }
  await rm(filler);
  await actor.serve();
};

async function fill(filler: string, folder: string): Promise<void> {
  const file = await open(filler, 'a');
  try {
    const block = Buffer.alloc(BLOCK);
    const { bavail, bsize } = await statfs(folder);
    for (let left = bavail * bsize; left > 0; left -= block.length)
      await file.write(block, 0, Math.min(left, block.length));
  } catch (error) {
    // The process used the rest of the space.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}
