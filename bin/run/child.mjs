import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { COMPILED, PINNED_NODE, ROOT } from '../setup/paths.mjs';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/**
 * Ctrl-C arrives from the terminal and again from npm. Forwarding both would make the child stop immediately instead of
 * gracefully.
 */
const TWIN_MS = 1000;
const END_WITH_PARENT = new URL('./end-with-parent.mjs', import.meta.url).href;

/**
 * Runs the pinned Node, with `env` added to its environment. Resolves to its exit code. Each signal is forwarded once.
 * The child leads a process group, which ends with it. No process that it started survives, even if this process is
 * killed.
 */
export function runPinned(args, { onMessage, env = {} } = {}) {
  const child = spawn(PINNED_NODE, ['--import', END_WITH_PARENT, ...args], {
    cwd: ROOT,
    detached: true,
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env, END_WITH_PARENT: String(process.pid) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  if (onMessage) child.on('message', onMessage);
  const seen = new Map();
  const passOn = (signal) => {
    const now = Date.now();
    if (now - (seen.get(signal) ?? -TWIN_MS) >= TWIN_MS) child.kill(signal);
    seen.set(signal, now);
  };
  // One listener per child and signal. Without this, Node warns about a listener leak from the 11th child on.
  process.setMaxListeners(process.getMaxListeners() + 1);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', async (code, signal) => {
      for (const name of PASSED_ON) process.off(name, passOn);
      process.setMaxListeners(process.getMaxListeners() - 1);
      endGroup(child.pid);
      // The last messages of the child may not have been read yet.
      if (child.connected) await once(child, 'disconnect');
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
