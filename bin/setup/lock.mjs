import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from './log.mjs';
import { ROOT } from './paths.mjs';

const POLL_MS = 200;

/** Runs `work` while no other set-up of this checkout runs: two `npm ci` at once destroy each other's node_modules. */
export async function alone(work, root = ROOT) {
  const file = join(root, '.trapline', 'set-up.pid');
  mkdirSync(join(root, '.trapline'), { recursive: true, mode: 0o700 }); // also the default data directory
  for (let waiting = false; !claim(file); waiting = true) {
    if (!waiting) log('another set-up is running in this checkout: waiting for it …');
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(file)) rmSync(file, { force: true }); // its owner was killed; the next round claims it
    return false;
  }
}

function isAlive(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // An empty file is one whose owner is just about to write its pid.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
