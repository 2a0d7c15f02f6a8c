import { EventEmitter } from 'node:events';
import { createExpiringMap } from './expiring-map.ts';
import { createMemoryWindows, type WindowLog } from './memory-windows.ts';
import type { Lock, SharedState } from './port.ts';

export interface MemoryLimits {
  /** Maximum number of keys of windows, of blocks and of locks, each. Default 200,000. A window takes 0.3 to 1 KB. */
  readonly keys?: number;
  /** Maximum size of cached values with their keys. Default 32 MiB. */
  readonly cacheBytes?: number;
  /** Monotonic clock, in ms. */
  readonly now?: () => number;
}

/** Memory of an entry in addition to its strings. */
const ENTRY_BYTES = 160;

/**
 * Shared state of a single process, for installations without Redis. Bounded: above its capacity, old entries are
 * evicted, which may allow one address more than its limit. It never causes a long pause.
 */
export function createMemorySharedState(limits: MemoryLimits = {}): SharedState {
  const { keys = 200_000, cacheBytes = 32 * 2 ** 20, now = () => performance.now() } = limits;
  const windows = createMemoryWindows(createExpiringMap<WindowLog>({ capacity: keys, now }), now);
  const counts = createMemoryWindows(createExpiringMap<WindowLog>({ capacity: keys, now }), now);
  const blocks = createExpiringMap<true>({ capacity: keys, now });
  const cache = createExpiringMap<string>({ capacity: cacheBytes, now });
  const locks = createExpiringMap<symbol>({ capacity: keys, now });
  const channels = new EventEmitter<Record<string, [string]>>().setMaxListeners(0);

  return {
    windows: {
      take: async (wanted) => windows.take(wanted),
      peek: async (key, limit) => windows.peek({ key, ...limit }),
      clear: async (names) => windows.clear(names),
    },
    blocks: {
      block: async (key, ms) => blocks.set(key, true, now() + ms),
      remaining: async (key) => blocks.remaining(key),
      unblock: async (key) => blocks.delete(key),
      async countOrBlock(wanted, blockMs) {
        const blockedMs = blocks.remaining(wanted.key);
        if (blockedMs > 0) return { allowed: false, remaining: 0, blockedMs, began: false };
        const { allowed, remaining } = counts.take([wanted]);
        if (allowed) return { allowed, remaining, blockedMs: 0, began: false };
        blocks.set(wanted.key, true, now() + blockMs);
        return { allowed, remaining, blockedMs: blockMs, began: true };
      },
    },
    cache: {
      get: async (key) => cache.get(key),
      set: async (key, value, ttlMs) => put(key, value, ttlMs),
      async setIfAbsent(key, value, ttlMs) {
        if (cache.get(key) !== undefined) return false;
        put(key, value, ttlMs);
        return true;
      },
      delete: async (key) => cache.delete(key),
    },
    locks: {
      async acquire(key, ttlMs): Promise<Lock | undefined> {
        if (locks.get(key) !== undefined) return undefined;
        const token = Symbol(key);
        locks.set(key, token, now() + ttlMs);
        return {
          release: async () => {
            if (locks.get(key) === token) locks.delete(key);
          },
        };
      },
    },
    channels: {
      publish: async (channel, message) => deliver(channel, message),
      async subscribe(channel, listener) {
        // A new function per call, so the same listener can be added twice and removed individually.
        const heard = (message: string) => listener(message);
        channels.on(channel, heard);
        return async () => {
          channels.off(channel, heard);
        };
      },
    },
    state: () => 'embedded',
    async close() {
      channels.removeAllListeners();
    },
  };

  function put(key: string, value: string, ttlMs: number): void {
    cache.set(key, value, now() + ttlMs, 2 * (key.length + value.length) + ENTRY_BYTES);
  }

  /**
   * Delivers asynchronously, as over a network. A publisher does not wait for listeners and receives none of their
   * errors.
   */
  function deliver(channel: string, message: string): void {
    for (const listener of channels.listeners(channel)) setImmediate(listener, message);
  }
}
