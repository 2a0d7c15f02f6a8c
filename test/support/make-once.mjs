import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder unless it is there: `fill` gets a temporary one next to it, which is moved into place in one step, so that it is there whole or not
 * at all. Of several processes that make it at the same time any will do. Plain JavaScript: the installer needs it too.
 * @param {string} target
 * @param {(folder: string) => Promise<unknown>} fill
 */
export async function makeOnce(target, fill) {
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  const temporary = mkdtempSync(`${target}.part-`);
  try {
    await fill(temporary);
    moveInto(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function moveInto(folder, target) {
  try {
    renameSync(folder, target);
  } catch (error) {
    // Another process was faster: its copy is as good.
    if (!existsSync(target)) throw error;
  }
}
