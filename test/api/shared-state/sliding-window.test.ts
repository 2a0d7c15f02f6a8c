import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from '#api/shared-state/ioredis.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { type KeyedLimit, type SharedState, SharedStateUnavailable, type WindowCount } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { BEGAN, countOrBlockScript, REFUSED, takeScript } from '#api/shared-state/sliding-window.lua.ts';
import { randomName, useRedis } from '../../support/use-services.ts';
import { openRedisState } from './redis-state.ts';
import { silentLogger } from './silent-logger.ts';
import { createWindowModel } from './window-model.ts';

const SECOND_US = 1_000_000;
const { url, prefix } = await useRedis();

/** A few keys and windows, so that they collide. Each key has its own window. */
const keyed = fc
  .record({ key: fc.constantFrom('a', 'b', 'c'), limit: fc.integer({ min: 0, max: 5 }) })
  .map(({ key, limit }): KeyedLimit => ({ key, limit, windowMs: { a: 10, b: 50, c: 200 }[key] as number }));
const asks = fc.array(
  fc.record({
    wanted: fc.uniqueArray(keyed, { minLength: 1, maxLength: 3, selector: ({ key }) => key }),
    /** Milliseconds that pass before the call. */
    after: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 220 })),
  }),
  { maxLength: 60 },
);

describe('an exact sliding window', () => {
  it('in memory equals the definition', async () => {
    await fc.assert(
      fc.asyncProperty(asks, async (steps) => {
        let now = 0;
        const [state, model] = [createMemorySharedState({ now: () => now }), createWindowModel()];
        for (const { wanted, after } of steps) {
          now += after;
          expect(await state.windows.take(wanted)).toEqual(model.take(wanted, now));
        }
      }),
      { numRuns: 300 },
    );
  });

  describe('in Redis', () => {
    let redis: Redis;
    beforeAll(() => {
      redis = new Redis(url);
    });
    afterAll(() => redis.disconnect());

    /**
     * The script with a clock that the test sets. One millisecond of the test is one second in Redis, so no key expires
     * during the test.
     */
    const script = takeScript('local function clock() return tonumber(ARGV[#ARGV]) end');
    async function take(name: string, wanted: readonly KeyedLimit[], nowMs: number): Promise<WindowCount> {
      const keys = wanted.map(({ key }) => prefix + name + key);
      const limits = wanted.flatMap(({ limit, windowMs }) => [limit, windowMs * SECOND_US]);
      const reply = (await redis.eval(script, keys.length, ...keys, 1, ...limits, nowMs * SECOND_US)) as number[];
      return { allowed: reply[0] === 1, remaining: reply[1] as number, resetMs: (reply[2] as number) / SECOND_US };
    }

    it('equals the definition', async () => {
      await fc.assert(
        fc.asyncProperty(asks, fc.integer({ min: 0, max: 4e9 }), async (steps, start) => {
          const [name, model] = [randomName('run'), createWindowModel()];
          let now = start;
          for (const { wanted, after } of steps) {
            now += after;
            expect(await take(name, wanted, now)).toEqual(model.take(wanted, now));
          }
        }),
        { numRuns: 60 },
      );
    });

    /** Counts of one call, within a millisecond in which a second passes. */
    const counting = countOrBlockScript('local function clock() return tonumber(ARGV[4]) end');
    async function count(
      names: readonly string[],
      limit: number,
      windowMs: number,
      nowMs: number,
    ): Promise<number[][]> {
      const keys = names.flatMap((name) => [`${prefix}${name}`, `${prefix}${name} block`]);
      const args = [limit, windowMs * SECOND_US, 3_600_000, nowMs * SECOND_US];
      const reply = (await redis.eval(counting, keys.length, ...keys, ...args)) as number[];
      return names.map((_, at) => [reply[2 * at] as number, reply[2 * at + 1] as number]);
    }

    it('counts several in one call as the definition does, until the first rejection', async () => {
      const calls = fc.array(
        fc.record({
          keys: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 }),
          after: fc.integer({ min: 0, max: 40 }),
        }),
        { maxLength: 30 },
      );
      await fc.assert(
        fc.asyncProperty(calls, fc.integer({ min: 1, max: 6 }), async (steps, limit) => {
          const [name, model, blocked] = [randomName('run'), createWindowModel(), new Set<string>()];
          let now = 1_000;
          for (const { keys, after } of steps) {
            now += after;
            const expected = keys.map((key) => {
              if (blocked.has(key)) return REFUSED;
              const { allowed, remaining } = model.take([{ key, limit, windowMs: 50 }], now);
              if (!allowed) blocked.add(key);
              return allowed ? remaining : BEGAN;
            });
            const names = keys.map((key) => name + key);
            expect((await count(names, limit, 50, now)).map(([left]) => left)).toEqual(expected);
          }
        }),
        { numRuns: 60 },
      );
    });

    it('extends the lifetime of a key with the first count of every slice', async () => {
      const [name, key] = [randomName('run'), (of: string) => prefix + of];
      const [limit, windowMs] = [100, 10];
      for (const [now, refreshed] of [
        [101, true],
        [109, false],
        [110, true],
        [119, false],
        [131, true],
      ] as const) {
        await redis.persist(key(name));
        await count([name], limit, windowMs, now);
        expect((await redis.pttl(key(name))) > 0, `at ${now}`).toBe(refreshed);
      }
      // One second in Redis is one millisecond here: the last count in a bucket stays for a full window, wherever in
      // the bucket it was.
      expect(await redis.pttl(key(name))).toBeGreaterThan(windowMs * 1_000);
    });

    it('removes any number of expired counts', async () => {
      const [name, wanted] = [randomName('run'), { key: 'a', limit: 100, windowMs: 1_000 }];
      for (let i = 0; i < 100; i += 1) await take(name, [wanted], 5_000 + i);
      expect((await take(name, [wanted], 5_500)).allowed).toBe(false);
      expect(await take(name, [wanted], 6_070)).toEqual({ allowed: true, remaining: 70, resetMs: 1_000 });
      expect(await redis.llen(`${prefix}${name}a`)).toBe(30);
    });

    it('opens no window when the clock is set back', async () => {
      const [name, wanted] = [randomName('run'), { key: 'a', limit: 2, windowMs: 1_000 }];
      await take(name, [wanted], 100_000);
      await take(name, [wanted], 40_000);
      expect((await take(name, [wanted], 40_001)).allowed).toBe(false);
      expect((await take(name, [wanted], 100_999)).allowed).toBe(false);
      expect((await take(name, [wanted], 101_000)).allowed).toBe(true);
    });
  });
});

describe('windows of several processes', () => {
  const clients: SharedState[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 2; i += 1) {
      clients.push(await openRedisState({ url, prefix }));
    }
  });
  afterAll(() => Promise.all(clients.map((client) => client.close())));

  it('permit exactly the limit of 500 concurrent requests over two connections', async () => {
    const wanted = [{ key: 'burst', limit: 100, windowMs: 60_000 }];
    const counts = await Promise.all(
      Array.from({ length: 500 }, (_, i) => (clients[i % 2] as SharedState).windows.take(wanted)),
    );
    const allowed = counts.filter((count) => count.allowed);
    expect(allowed).toHaveLength(100);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(100);
  });

  it('start one block when a burst exceeds the limit', async () => {
    const wanted = { key: 'blocking burst', limit: 100, windowMs: 60_000 };
    const counts = await Promise.all(
      Array.from({ length: 500 }, (_, i) => (clients[i % 2] as SharedState).blocks.countOrBlock(wanted, 300_000)),
    );
    expect(counts.filter(({ allowed }) => allowed)).toHaveLength(100);
    expect(counts.filter(({ began }) => began)).toHaveLength(1);
  });

  it('leave nothing: every key expires, and none contains more than its limit', async () => {
    const redis = new Redis(url);
    try {
      const [client] = clients as [SharedState];
      for (let i = 0; i < 30; i += 1) {
        await client.windows.take([{ key: 'bounded', limit: 10, windowMs: 60_000 }]);
        await client.blocks.countOrBlock({ key: 'bounded block', limit: 10, windowMs: 60_000 }, 1_000);
      }
      await client.cache.set('c', 'value', 1_000);
      await client.locks.acquire('l', 1_000);
      expect(await redis.llen(`${prefix}window:{windows}:bounded`)).toBe(10);
      const keys = await redis.keys(`${prefix}*`);
      expect(keys.length).toBeGreaterThanOrEqual(7);
      for (const key of keys) if (!key.includes('run')) expect(await redis.pttl(key), key).toBeGreaterThan(0);
    } finally {
      redis.disconnect();
    }
  });

  it('reject with one error if Redis was never available', async () => {
    const nowhere = await createRedisSharedState({
      servers: { urls: ['redis://127.0.0.1:1'] },
      prefix,
      logger: silentLogger,
    });
    await expect(nowhere.windows.peek('k', { limit: 1, windowMs: 1 })).rejects.toThrow(SharedStateUnavailable);
    expect(nowhere.state()).toBe('down');
    await nowhere.close();
  });
});
