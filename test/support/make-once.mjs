import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder unless it exists. `fill` writes to a temporary folder next to it, which is then renamed, so that the
 * target is either complete or absent. If several processes create it at the same time, any result is valid. Plain
 * JavaScript, because the installer uses it too.
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
    // Another process was faster; its copy is equivalent.
    if (!existsSync(target)) throw error;
  }
}
