import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../installation.ts';
import { stepClock } from './clock.ts';
import { cutNetwork } from './cut.ts';
import type { Apply } from './fault.ts';
import { fillDisk } from './fill.ts';
import { freeze } from './freeze.ts';
import { kill } from './kill.ts';
import type { Locks } from './locks.ts';
import { describeFault, type FaultKind, type PlannedFault } from './plan.ts';

const APPLY: Readonly<Record<FaultKind, Apply>> = {
  kill,
  freeze,
  cut: cutNetwork,
  fill: fillDisk,
  clock: stepClock,
};

/**
 * Applies the faults in order. Faults of the same target never overlap, and neither do faults of the two PostgreSQL
 * servers.
 */
export async function applyFaults(
  faults: readonly PlannedFault[],
  installation: Installation,
  locks: Locks,
  report: (line: string, fault: PlannedFault) => void,
): Promise<void> {
  const lasting: Promise<void>[] = [];
  for (const [index, fault] of faults.entries()) {
    await pause(fault.afterMs);
    const actors = fault.targets.map((name) => installation.actor(name));
    const begun = Promise.withResolvers<void>();
    const done = locks
      .holding(actors, () => {
        report(`fault ${index + 1} of ${faults.length}: ${describeFault(fault)}`, fault);
        begun.resolve();
        return APPLY[fault.kind](fault, actors, installation);
      })
      .catch((error: unknown) => {
        throw new Error(`fault ${index + 1} (${describeFault(fault)}): ${String(error)}`, { cause: error });
      });
    // The rejection of an overlapping fault is reported below.
    done.catch(() => {});
    lasting.push(done);
    await (fault.overlaps ? begun.promise : done);
  }
  await Promise.all(lasting);
}
