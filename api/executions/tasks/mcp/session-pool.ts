/** A resource kept open between the tasks of an execution. */
export interface PooledSession {
  /** False if the other side has closed it. */
  isOpen(): boolean;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Sessions that the tasks of an execution share on this worker, by a key of the server and the connection settings. */
export interface SessionPool<S extends PooledSession> {
  /**
   * Runs `work` with the session of a key, and opens the session on first use. If `work` rejects with `SessionLost`,
   * the session is reopened once; a second loss rejects with the cause. After `SessionEnded`, the session is discarded,
   * and the call rejects with the cause.
   */
  use<T>(owner: string, key: string, open: () => Promise<S>, work: (session: S) => Promise<T>): Promise<T>;
  /** Closes the sessions of an execution when no task uses them. */
  end(owner: string): void;
  /** Closes all sessions. */
  close(): Promise<void>;
}

export interface SessionPoolConfig {
  /** Maximum number of idle sessions. Default 100. */
  readonly maxSessions?: number;
  /** An idle session is closed after this time, in ms. Default 5 minutes. */
  readonly idleMs?: number;
}

/** Thrown if the other side no longer knows the session, and has done nothing. */
export class SessionLost extends Error {}
/** Thrown if the session cannot be used after this failure. */
export class SessionEnded extends Error {}

interface Entry<S> {
  readonly owner: string;
  readonly key: string;
  readonly session: Promise<S>;
  users: number;
  kept: boolean;
  idle: NodeJS.Timeout | undefined;
}

/** Creates a pool. Long: its functions share the entries. */
export function createSessionPool<S extends PooledSession>({
  maxSessions = 100,
  idleMs = 300_000,
}: SessionPoolConfig = {}): SessionPool<S> {
  /** Least recently used first. */
  const entries = new Set<Entry<S>>();
  const closings = new Set<Promise<void>>();

  function entryOf(owner: string, key: string, open: () => Promise<S>) {
    const known = [...entries].find((entry) => entry.owner === owner && entry.key === key);
    if (known !== undefined) return { entry: known, isNew: false };
    const entry: Entry<S> = { owner, key, session: open(), users: 0, kept: true, idle: undefined };
    entries.add(entry);
    return { entry, isNew: true };
  }

  /** Closes a session now, or when its last user leaves. */
  function forget(entry: Entry<S>): void {
    clearTimeout(entry.idle);
    entries.delete(entry);
    const wasKept = entry.kept;
    entry.kept = false;
    if (wasKept && entry.users === 0) close(entry);
  }

  function close(entry: Entry<S>): void {
    const closing = entry.session.then(
      (session) => session.close(),
      () => {},
    );
    closings.add(closing);
    void closing.finally(() => closings.delete(closing));
  }

  function leave(entry: Entry<S>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (!entry.kept) {
      close(entry);
      return;
    }
    entries.delete(entry);
    entries.add(entry);
    entry.idle = setTimeout(() => forget(entry), idleMs).unref();
    const unused = [...entries].filter(({ users }) => users === 0);
    for (const oldest of unused.slice(0, Math.max(0, entries.size - maxSessions))) forget(oldest);
  }

  return {
    async use(owner, key, open, work) {
      for (let reopened = false; ; ) {
        const { entry, isNew } = entryOf(owner, key, open);
        clearTimeout(entry.idle);
        entry.users += 1;
        try {
          const session = await entry.session.catch((error: unknown) => {
            forget(entry);
            if (isNew) throw error;
            return undefined;
          });
          // The task that opened it failed: this one opens it again.
          if (session === undefined) continue;
          if (!session.isOpen()) {
            forget(entry);
            if (!isNew) continue;
          }
          return await work(session);
        } catch (error) {
          if (!(error instanceof SessionLost || error instanceof SessionEnded)) throw error;
          forget(entry);
          if (error instanceof SessionEnded || reopened) throw error.cause;
          reopened = true;
        } finally {
          leave(entry);
        }
      }
    },
    end(owner) {
      for (const entry of [...entries]) if (entry.owner === owner) forget(entry);
    },
    async close() {
      for (const entry of [...entries]) forget(entry);
      await Promise.all(closings);
    },
  };
}
