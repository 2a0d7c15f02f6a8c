import type { FollowOptions, TraceEntry } from './port.ts';

/** Subscribers of executions, each with its position in the trace. */
export interface Followers {
  add(executionId: string, options: FollowOptions): () => void;
  has(executionId: string): boolean;
  readonly size: number;
  /**
   * Returns what the next query must read: for each execution, entries after the lowest position of its idle
   * subscribers.
   */
  wanted(): Wanted[];
  /** Passes the entries of a query to the subscribers. `wanted`: what the query requested. */
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
  /**
   * True while it handles earlier entries. It receives no others until then, so entries do not accumulate for a slow
   * client.
   */
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
      // Skips a subscriber that was busy when the query ran, or was added since. Its position may be lower, so it would
      // miss entries in between.
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
