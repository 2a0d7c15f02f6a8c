import type { Actor } from '../actor.ts';

/** Serialises faults and starts of a process. A failover affects both PostgreSQL servers, so they share a lock. */
export interface Locks {
  /** Runs `work` while no other fault or start affects these processes. */
  holding<T>(actors: readonly Actor[], work: () => Promise<T>): Promise<T>;
  isFree(actor: Actor): boolean;
}

export function createLocks(): Locks {
  const held = new Map<string, Promise<unknown>>();
  return {
    async holding(actors, work) {
      const names = [...new Set(actors.map(lockOf))];
      // Checks again after each wait, because another waiting call may have taken a lock.
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
