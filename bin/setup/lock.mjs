import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { log, SetupError } from './log.mjs';
import { ROOT } from './paths.mjs';

/** Also the default data directory. */
const FOLDER = join(ROOT, '.trapline');
/** The exit code of `flock` when another process holds the lock. */
const TAKEN = 75;
/** Says that it has the lock, and keeps it until standard input closes: the kernel sees to that however this process ends. */
const HOLD = ['sh', '-c', 'echo locked; read -r _'];

/**
 * Runs `work` while no other process does with the same folder: two `npm ci` at once destroy each other's node_modules. The lock is the kernel's,
 * so that none is left behind by a set-up that was killed, and none taken for that of a stranger with the same process id (in containers
 * every run has the same).
 */
export async function alone(work, folder = FOLDER) {
  const release = await lock(folder);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function lock(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SetupError(
      `this checkout is not set up, and ${folder} cannot be made (${error.code}): ` +
        'run `npx trapline --help` once as the owner of the checkout, then start again',
    );
  }
  const file = join(folder, 'set-up.lock');
  const free = await hold(['--nonblock', '--conflict-exit-code', String(TAKEN), file]);
  if (free !== undefined) return free;
  log('another set-up is running: waiting for it …');
  return hold([file]);
}

/** Resolves to a function that gives the lock back; to undefined when it was not to be had at once. */
async function hold(args) {
  // A group of its own: Ctrl-C in the terminal ends the work before the lock.
  const holder = spawn('flock', [...args, ...HOLD], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let said = '';
  holder.stderr.on('data', (text) => (said += text));
  holder.stdin.on('error', () => {});
  const ended = once(holder, 'close');
  const outcome = await Promise.race([once(holder.stdout, 'data'), ended]).catch((error) => {
    throw new SetupError(`flock, of Debian's package util-linux, is needed to set up: ${error.message}`);
  });
  if (outcome[0] === TAKEN) return undefined;
  if (!Buffer.isBuffer(outcome[0])) throw new SetupError(`the set-up can't lock ${args.at(-1)}: ${said.trim()}`);
  return async () => {
    holder.stdin.end();
    await ended;
  };
}
