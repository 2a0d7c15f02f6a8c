import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../actor.ts';
import type { Installation } from '../installation.ts';
import { stepClock } from './clock.ts';
import { cutNetwork } from './cut.ts';
import type { Apply } from './fault.ts';
import { fillDisk } from './fill.ts';
import { freeze } from './freeze.ts';
import { kill } from './kill.ts';
import { describeFault, type FaultKind, type PlannedFault } from './plan.ts';

const APPLY: Readonly<Record<FaultKind, Apply>> = {
  kill,
  freeze,
  cut: cutNetwork,
  fill: fillDisk,
  clock: stepClock,
};

/** Does the faults in their order. Faults of the same target, and of the two PostgreSQL servers, never overlap. */
export async function applyFaults(
  faults: readonly PlannedFault[],
  installation: Installation,
  report: (line: string, fault: PlannedFault) => void,
): Promise<void> {
  const busy = new Map<string, Promise<void>>();
  const lasting: Promise<void>[] = [];
  for (const [index, fault] of faults.entries()) {
    await pause(fault.afterMs);
    const actors = fault.targets.map((name) => installation.actor(name));
    const locks = actors.map(lockOf);
    await Promise.all(locks.map((lock) => busy.get(lock)));
    report(`fault ${index + 1} of ${faults.length}: ${describeFault(fault)}`, fault);
    const done = APPLY[fault.kind](fault, actors, installation).catch((error: unknown) => {
      throw new Error(`fault ${index + 1} (${describeFault(fault)}): ${String(error)}`, { cause: error });
    });
    for (const lock of locks) busy.set(lock, done);
    // Rejections of a lasting fault are reported below, at the latest.
    done.catch(() => {});
    lasting.push(done);
    if (!fault.overlaps) await done;
  }
  await Promise.all(lasting);
}

/** A fail-over concerns both servers of the pair. */
function lockOf(actor: Actor): string {
  return actor.kind === 'postgres' ? 'postgres' : actor.name;
}
