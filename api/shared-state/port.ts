/**
 * State that all processes of an installation share and that may be lost: limits, blocks, caches, locks, the live feed.
 * There are two implementations of one contract: Redis, and the memory of a single process without Redis.
 *
 * Every call may reject with `SharedStateUnavailable` while Redis is unavailable. The caller decides how to react:
 * sign-in rejects, while reads and executions continue with limits per process.
 */
export interface SharedState {
  readonly windows: SlidingWindows;
  readonly blocks: Blocks;
  readonly cache: SharedCache;
  readonly locks: Locks;
  readonly channels: Channels;
  /** `embedded`: in memory, always available. */
  state(): 'ok' | 'down' | 'embedded';
  close(): Promise<void>;
}

/** Redis does not respond. The error is temporary. */
export class SharedStateUnavailable extends Error {
  override readonly name = 'SharedStateUnavailable';
}

export interface SharedStateLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WindowLimit {
  readonly limit: number;
  /** Length of the window. Each key must always use the same length, because older events are deleted. */
  readonly windowMs: number;
}

export interface KeyedLimit extends WindowLimit {
  readonly key: string;
}

export interface WindowCount {
  readonly allowed: boolean;
  /** Remaining events after this one. */
  readonly remaining: number;
  /** If rejected: ms until the window has room for one event. If allowed: ms until it is empty. */
  readonly resetMs: number;
}

/**
 * Exact sliding windows: in any window of this length, at most `limit` events were allowed over all callers. Uses the
 * clock of the server.
 */
export interface SlidingWindows {
  /**
   * Counts one event if there is room; a rejected event is not counted. Atomic over all keys: either all have room and
   * count, or none counts. Returns the result of the key with the least room. Keys must differ.
   */
  take(wanted: readonly KeyedLimit[]): Promise<WindowCount>;
  /** Returns what `take` would return, without counting. */
  peek(key: string, limit: WindowLimit): Promise<WindowCount>;
  /** Deletes the counts. */
  clear(keys: readonly string[]): Promise<void>;
}

export interface Blocks {
  block(key: string, ms: number): Promise<void>;
  /** Returns the remaining time in ms; 0 if the key is not blocked. */
  remaining(key: string): Promise<number>;
  unblock(key: string): Promise<void>;
  /**
   * Counts one event in a window of the key unless the key is blocked, and blocks it if the event exceeds the limit.
   * Atomic. These windows are separate from `windows`.
   */
  countOrBlock(wanted: KeyedLimit, blockMs: number): Promise<BlockingCount>;
}

export interface BlockingCount {
  readonly allowed: boolean;
  /** Remaining events after this one. */
  readonly remaining: number;
  /** Remaining time of the block in ms; 0 if allowed. */
  readonly blockedMs: number;
  /** True if this event exceeded the limit and started the block. */
  readonly began: boolean;
}

export interface SharedCache {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /**
   * Sets a value unless it exists. Resolves to true if it was set. Useful to run something once per period, for the
   * first caller.
   */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
}

export interface Locks {
  /** Resolves to a lock, or to undefined if it is held. The lock expires after `ttlMs`. */
  acquire(key: string, ttlMs: number): Promise<Lock | undefined>;
}

export interface Lock {
  /** Releases the lock if it is still held by this caller. */
  release(): Promise<void>;
}

/**
 * At-most-once delivery: a listener receives only messages that are published while it is subscribed. Errors of
 * listeners are not caught.
 */
export interface Channels {
  publish(channel: string, message: string): Promise<void>;
  /**
   * Subscribes a listener and resolves to a function that unsubscribes. While Redis is unavailable, it resolves after a
   * short time anyway. The subscription then begins when Redis is available, and is renewed after each reconnect.
   */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
}
