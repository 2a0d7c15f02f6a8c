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
 * Installs everything that commands need and that is missing. With `services`, also installs the services that tests
 * and benchmarks start as local processes, concurrently with npm.
 */
export async function setUp({ services }) {
  const parts = await Promise.allSettled([prepareCheckout(), services ? prepareServices() : undefined]);
  // Printed after all parts have ended, so that the message about what is missing is the last output and not lost in
  // that of npm.
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
      if (isComplete()) return; // Another process has completed it while this one waited for the lock.
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
