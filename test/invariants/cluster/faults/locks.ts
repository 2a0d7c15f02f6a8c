import type { Actor } from '../actor.ts';

/** Lets one fault, or one start, be done to a process at a time. A fail-over concerns both PostgreSQL servers, so they share a lock. */
export interface Locks {
  /** Runs `work` when nothing else is done to the processes. */
  holding<T>(actors: readonly Actor[], work: () => Promise<T>): Promise<T>;
  isFree(actor: Actor): boolean;
}

export function createLocks(): Locks {
  const held = new Map<string, Promise<unknown>>();
  return {
    async holding(actors, work) {
      const names = [...new Set(actors.map(lockOf))];
      // Checked again after each wait: others wait too.
      while (names.some((name) => held.has(name)))
        await Promise.all(names.map((name) => held.get(name)?.catch(() => {})));
      const done = work();
      for (const name of names) held.set(name, done);
      try {
        return await done;
      } finally {
        for (const name of names) held.delete(name);
      }
    },
    isFree: (actor) => !held.has(lockOf(actor)),
  };
}

function lockOf({ kind, name }: Actor): string {
  return kind === 'postgres' ? 'postgres' : name;
}
