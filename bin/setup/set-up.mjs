import { existsSync, writeFileSync } from 'node:fs';
import { buildConsole } from './console.mjs';
import { installDependencies } from './dependencies.mjs';
import { completedFingerprint, fingerprint } from './fingerprint.mjs';
import { alone } from './lock.mjs';
import { log, SetupError } from './log.mjs';
import { linkOwnCommand } from './own-command.mjs';
import { PINNED_NODE, STAMP } from './paths.mjs';
import { ensurePinnedNode } from './pinned-node.mjs';
import { checkPlatform } from './platform.mjs';
import { warmUp } from './warm-up.mjs';

const PATCHES = new URL('../patches/apply.mjs', import.meta.url);
const TEST_SERVICES = new URL('../../test/support/install-services.mjs', import.meta.url);

/**
 * Brings the checkout into the state every command needs, doing only what is missing. With `services` also what tests and
 * benchmarks start as local processes: fetching it does not wait for npm.
 */
export async function setUp({ services }) {
  const parts = await Promise.allSettled([prepareCheckout(), services ? prepareServices() : undefined]);
  // Only when nothing runs any more: what is missing has to be the last that is read, not lost in what npm says.
  const failures = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
  const unexpected = failures.find((failure) => !(failure instanceof SetupError));
  if (unexpected !== undefined) throw unexpected;
  if (failures.length > 0) throw new SetupError(failures.map(({ message }) => message).join('\n'));
}

async function prepareCheckout() {
  let fresh = false;
  if (!isComplete()) {
    checkPlatform();
    await alone(async () => {
      if (isComplete()) return; // another process did it while this one waited
      await installDependencies();
      await ensurePinnedNode();
      await applyPatches();
      linkOwnCommand();
      writeFileSync(STAMP, `${fingerprint()}\n`);
      fresh = true;
    });
  }
  await Promise.all([buildConsole(), fresh ? warmUp() : undefined]);
}

async function prepareServices() {
  if (!existsSync(TEST_SERVICES)) return;
  const { installServices } = await import(TEST_SERVICES.href);
  await installServices({ log }).catch((error) => {
    throw new SetupError(error.message, { cause: error });
  });
}

function isComplete() {
  return completedFingerprint() === fingerprint() && existsSync(PINNED_NODE);
}

async function applyPatches() {
  if (!existsSync(PATCHES)) return;
  const { applyPatches: apply } = await import(PATCHES.href);
  try {
    await apply({ log, ...(process.env.LOG_LEVEL === 'debug' ? { detail: log } : {}) });
  } catch (error) {
    throw new SetupError(
      `a correction of a dependency can't be applied: ${error.message}\n  Remove node_modules and start again.`,
    );
  }
}
