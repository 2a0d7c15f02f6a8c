import type { FollowOptions, TraceEntry } from './port.ts';

/** The followers of executions, each with the position that it has reached. */
export interface Followers {
  add(executionId: string, options: FollowOptions): () => void;
  has(executionId: string): boolean;
  readonly size: number;
  /** What the next query reads: of each execution, entries after the lowest position of its followers. Busy followers do not count. */
  wanted(): Wanted[];
  /** Passes the entries of a query on to the followers. `wanted`: what the query read. */
  deliver(wanted: readonly Wanted[], entries: readonly TraceEntry[]): void;
  close(): void;
}

export interface Wanted {
  readonly id: string;
  readonly after: number;
}

interface Follower {
  readonly options: FollowOptions;
  after: number;
  /** It still handles earlier entries. It gets no more until then, so that entries do not accumulate for a slow client. */
  busy: boolean;
}

export function createFollowers(): Followers {
  const byExecution = new Map<string, Set<Follower>>();

  return {
    add(executionId, options) {
      const follower: Follower = { options, after: options.after, busy: false };
      const others = byExecution.get(executionId) ?? new Set();
      byExecution.set(executionId, others.add(follower));
      return () => {
        others.delete(follower);
        if (others.size === 0 && byExecution.get(executionId) === others) byExecution.delete(executionId);
      };
    },
    has: (executionId) => byExecution.has(executionId),
    get size() {
      return [...byExecution.values()].reduce((sum, { size }) => sum + size, 0);
    },
    wanted: () =>
      [...byExecution].flatMap(([id, all]) => {
        const ready = [...all].filter(({ busy }) => !busy);
        return ready.length === 0 ? [] : [{ id, after: Math.min(...ready.map(({ after }) => after)) }];
      }),
    deliver(wanted, entries) {
      const asked = new Map(wanted.map(({ id, after }) => [id, after]));
      // A follower that was busy when the query ran, or was added since, may have a lower position: it would miss the entries in between.
      for (const [id, fresh] of Map.groupBy(entries, ({ executionId }) => executionId))
        for (const follower of byExecution.get(id) ?? [])
          if (follower.after >= (asked.get(id) ?? Number.POSITIVE_INFINITY)) hand(follower, fresh);
    },
    close() {
      for (const all of byExecution.values()) for (const { options } of all) options.onClose();
      byExecution.clear();
    },
  };
}

function hand(follower: Follower, entries: readonly TraceEntry[]): void {
  if (follower.busy) return;
  const fresh = entries.filter(({ seq }) => seq > follower.after);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.after = last.seq;
  follower.busy = true;
  const done = () => {
    follower.busy = false;
  };
  void Promise.resolve(follower.options.listener(fresh)).then(done, done);
}
