import { setTimeout as pause } from 'node:timers/promises';
import { type ActorKind, runs } from './actor.ts';
import type { Locks } from './faults/locks.ts';
import type { Installation } from './installation.ts';

const LOOK_EVERY_MS = 1_000;
/** `installation.ts` keeps these running. */
const OF_TRAPLINE: ReadonlySet<ActorKind> = new Set(['api', 'ingest', 'worker']);

/**
 * Restarts stores that ended by themselves, as a supervisor does: a broker, for example, ends some time after its disk
 * was full. Leaves processes with an active fault alone. Resolves when it is stopped. Reports a store that cannot be
 * started.
 */
export async function keepServing(
  { actors }: Installation,
  locks: Locks,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const stores = actors.filter(({ kind }) => !OF_TRAPLINE.has(kind));
  while (!signal.aborted) {
    await Promise.all(
      stores.map(async (actor) => {
        if (!locks.isFree(actor) || (await runs(actor)) || !locks.isFree(actor) || signal.aborted) return;
        print(`${actor.name} has ended by itself and is started again`);
        await locks
          .holding([actor], () => actor.serve())
          .catch((error: unknown) => print(`${actor.name} cannot be started: ${String(error)}`));
      }),
    );
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
