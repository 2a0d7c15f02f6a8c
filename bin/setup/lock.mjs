import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { log, SetupError } from './log.mjs';
import { ROOT } from './paths.mjs';

/** Also the default data directory. */
const FOLDER = join(ROOT, '.trapline');
/** Exit code of `flock` if another process holds the lock. */
const TAKEN = 75;
/**
 * Prints that it holds the lock, and keeps it until standard input closes. The kernel closes it however this process
 * ends.
 */
const HOLD = ['sh', '-c', 'echo locked; read -r _'];

/**
 * Runs `work` while no other process runs it for the same folder: two concurrent `npm ci` destroy each other's
 * node_modules. Uses a kernel lock. A killed set-up thus leaves no lock behind. Process ids would be ambiguous, because
 * in containers every run has the same one.
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

/**
 * Acquires the lock. Resolves to a function that releases it, or to undefined if it is held and `--nonblock` is given.
 */
async function hold(args) {
  // A separate process group: Ctrl-C in the terminal must end the work before the lock is released.
  const holder = spawn('flock', [...args, ...HOLD], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let printed = '';
  holder.stderr.on('data', (text) => (printed += text));
  holder.stdin.on('error', () => {});
  const ended = once(holder, 'close');
  const outcome = await Promise.race([once(holder.stdout, 'data'), ended]).catch((error) => {
    throw new SetupError(`flock, of Debian's package util-linux, is needed to set up: ${error.message}`);
  });
  if (outcome[0] === TAKEN) return undefined;
  if (!Buffer.isBuffer(outcome[0])) throw new SetupError(`the set-up can't lock ${args.at(-1)}: ${printed.trim()}`);
  return async () => {
    holder.stdin.end();
    await ended;
  };
}
