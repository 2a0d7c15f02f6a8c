/**
 * State that all processes of an installation share and that may be lost: limits, blocks, caches, locks, the live feed. Two
 * implementations keep one contract: Redis, and the memory of the one process where no Redis is set.
 *
 * Every call may reject with `SharedStateUnavailable` while Redis is unavailable. The caller decides what that means: sign-in refuses; reads and
 * executions go on under limits of their own process.
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

/** Redis does not answer; it will be back. */
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
  /** A key has one length of window: what is older is forgotten. */
  readonly windowMs: number;
}

export interface KeyedLimit extends WindowLimit {
  readonly key: string;
}

export interface WindowCount {
  readonly allowed: boolean;
  /** What is left after this one. */
  readonly remaining: number;
  /** ms until the window has room for one more (when refused), or is empty again (when allowed). */
  readonly resetMs: number;
}

/** Exact: of any window of that length no more than `limit` were allowed, over all callers. The clock is the server's. */
export interface SlidingWindows {
  /**
   * Counts one when there is room; a refused one is not counted. Atomic for all keys together: all have room, or none is counted.
   * The answer is that of the key with the least room. Keys must differ.
   */
  take(wanted: readonly KeyedLimit[]): Promise<WindowCount>;
  /** Says what `take` would, and counts nothing. */
  peek(key: string, limit: WindowLimit): Promise<WindowCount>;
  /** Forgets what was counted. */
  clear(keys: readonly string[]): Promise<void>;
}

export interface Blocks {
  block(key: string, ms: number): Promise<void>;
  /** ms left; 0 when it is not blocked. */
  remaining(key: string): Promise<number>;
  unblock(key: string): Promise<void>;
  /** Counts one in a window of the key unless it is blocked, and blocks it when that is one too many; in one step. These windows are apart from `windows`. */
  countOrBlock(wanted: KeyedLimit, blockMs: number): Promise<BlockingCount>;
}

export interface BlockingCount {
  readonly allowed: boolean;
  /** What is left after this one. */
  readonly remaining: number;
  /** How long it is blocked, ms; 0 when allowed. */
  readonly blockedMs: number;
  /** This one was one too many, and began the block. */
  readonly began: boolean;
}

export interface SharedCache {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Sets it unless it exists; true when it was set. Once per period, for the first caller. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
}

export interface Locks {
  /** Resolves to a lock, or undefined when it is held. It ends by itself after `ttlMs`. */
  acquire(key: string, ttlMs: number): Promise<Lock | undefined>;
}

export interface Lock {
  /** Gives it back, if it is still ours. */
  release(): Promise<void>;
}

/** At most once: a listener gets what is published while it listens. What a listener throws is not caught. */
export interface Channels {
  publish(channel: string, message: string): Promise<void>;
  /**
   * Resolves when it listens; the function it resolves to ends that. While Redis is unavailable it resolves soon all the same, and listens
   * when Redis is back, as it does again each time.
   */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
}
