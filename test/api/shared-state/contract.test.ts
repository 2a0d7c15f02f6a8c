import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { type ClusterService, startRedisCluster } from '../../support/services/redis-servers.ts';
import { useRedis } from '../../support/use-services.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openRedisState } from './redis-state.ts';

const { url, prefix } = await useRedis();
let cluster: ClusterService | undefined;
afterAll(() => cluster?.stop());

async function openInCluster(): Promise<SharedState> {
  cluster = await startRedisCluster();
  return openRedisState({ servers: { urls: cluster.urls, cluster: true }, prefix });
}

describe.each([
  ['in memory', async () => createMemorySharedState()],
  ['in Redis', () => openRedisState({ url, prefix })],
  ['in a Redis Cluster', openInCluster],
] as const)('shared state %s', (kind, create) => {
  let state: SharedState;
  let keys = 0;
  const newKey = () => `${kind} ${keys++}`;
  beforeAll(async () => {
    state = await create();
  });
  afterAll(() => state.close());

  it('reports its state', () => {
    expect(state.state()).toBe(kind === 'in memory' ? 'embedded' : 'ok');
  });

  describe('windows', () => {
    const limit = { limit: 3, windowMs: 60_000 };

    it('counts up to the limit, then rejects with the time of the next slot', async () => {
      const key = newKey();
      const counts = [];
      for (let i = 0; i < 4; i += 1) counts.push(await state.windows.take([{ key, ...limit }]));
      expect(counts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
      ]);
      expect(counts[0]?.resetMs).toBe(60_000);
      expect(counts[3]?.resetMs).toBeGreaterThan(50_000);
      expect(counts[3]?.resetMs).toBeLessThanOrEqual(60_000);
    });

    it('accepts again at the reported time, and not before', async () => {
      const wanted = [{ key: newKey(), limit: 1, windowMs: 150 }];
      await state.windows.take(wanted);
      const begun = performance.now();
      const { resetMs } = await state.windows.take(wanted);
      const refusedMs = await waitFor(
        'room',
        async () => (await state.windows.take(wanted)).allowed && performance.now() - begun,
        {
          everyMs: 1,
        },
      );
      expect(refusedMs).toBeGreaterThanOrEqual(resetMs - 1);
    });

    it('slides: counted requests expire one by one', async () => {
      const wanted = { key: newKey(), limit: 2, windowMs: 400 };
      const first = performance.now();
      await state.windows.take([wanted]);
      await waitFor('half of the window', () => performance.now() > first + 200, { everyMs: 5 });
      const second = performance.now();
      await state.windows.take([wanted]);
      const room = () =>
        waitFor('room for one', async () => (await state.windows.take([wanted])).allowed, { everyMs: 5 });
      await room();
      // The first count has expired. The next one that is allowed replaces the second, which is a whole window old by
      // then.
      await room();
      expect(performance.now() - second).toBeGreaterThanOrEqual(wanted.windowMs - 1);
    });

    it('counts in all windows or in none, and reports the fullest', async () => {
      const [one, other] = [
        { key: newKey(), ...limit },
        { key: newKey(), limit: 1, windowMs: 30_000 },
      ];
      expect(await state.windows.take([one, other])).toEqual({ allowed: true, remaining: 0, resetMs: 60_000 });
      const refused = await state.windows.take([one, other]);
      expect(refused.allowed).toBe(false);
      expect(refused.resetMs).toBeLessThanOrEqual(30_000);
      expect((await state.windows.peek(one.key, limit)).remaining).toBe(1);
      await expect(state.windows.take([one, one])).rejects.toThrow(RangeError);
    });

    it('reads without counting', async () => {
      const key = newKey();
      for (let i = 0; i < 5; i += 1) {
        expect(await state.windows.peek(key, limit)).toEqual({ allowed: true, remaining: 2, resetMs: 60_000 });
      }
    });

    it('forgets counts', async () => {
      const [one, other] = [newKey(), newKey()];
      for (const key of [one, other, one]) await state.windows.take([{ key, ...limit }]);
      await state.windows.clear([one, other]);
      await state.windows.clear([]);
      expect((await state.windows.peek(one, limit)).remaining).toBe(2);
      expect((await state.windows.peek(other, limit)).remaining).toBe(2);
    });

    it('never accepts with a limit of 0', async () => {
      const refused = { allowed: false, remaining: 0, resetMs: 1_000 };
      expect(await state.windows.take([{ key: newKey(), limit: 0, windowMs: 1_000 }])).toEqual(refused);
    });
  });

  describe('blocks', () => {
    it('blocks for the given time', async () => {
      const key = newKey();
      expect(await state.blocks.remaining(key)).toBe(0);
      await state.blocks.block(key, 60_000);
      expect(await state.blocks.remaining(key)).toBeGreaterThan(50_000);
      await state.blocks.unblock(key);
      expect(await state.blocks.remaining(key)).toBe(0);
      await state.blocks.block(key, 40);
      await waitFor('the end of the block', async () => (await state.blocks.remaining(key)) === 0, { everyMs: 5 });
    });

    it('blocks with the first request above the limit, and counts nothing while blocked', async () => {
      const wanted = { key: newKey(), limit: 2, windowMs: 60_000 };
      const count = () => state.blocks.countOrBlock(wanted, 300_000);
      expect(await count()).toEqual({ allowed: true, remaining: 1, blockedMs: 0, began: false });
      expect(await count()).toEqual({ allowed: true, remaining: 0, blockedMs: 0, began: false });
      expect(await count()).toEqual({ allowed: false, remaining: 0, blockedMs: 300_000, began: true });
      const later = await count();
      expect(later).toMatchObject({ allowed: false, remaining: 0, began: false });
      expect(later.blockedMs).toBeGreaterThan(290_000);
      expect(await state.blocks.remaining(wanted.key)).toBeGreaterThan(290_000);
    });

    it('counts concurrent requests individually, whatever their keys and limits', async () => {
      const [few, many, other] = [newKey(), newKey(), newKey()];
      const counts = await Promise.all(
        Array.from({ length: 240 }, (_, i) => {
          const [key, limit] = [[few, 3] as const, [many, 70] as const, [other, 70] as const][i % 3] ?? [few, 3];
          return state.blocks
            .countOrBlock({ key, limit, windowMs: 60_000 }, 300_000)
            .then((count) => ({ key, ...count }));
        }),
      );
      const of = (key: string) => counts.filter((count) => count.key === key);
      for (const [key, limit] of [[few, 3] as const, [many, 70] as const, [other, 70] as const]) {
        // In the order of arrival.
        expect(of(key).map(({ allowed }) => allowed)).toEqual(Array.from({ length: 80 }, (_, i) => i < limit));
        expect(of(key).map(({ remaining }) => remaining)).toEqual(
          Array.from({ length: 80 }, (_, i) => Math.max(0, limit - 1 - i)),
        );
        expect(of(key).findIndex(({ began }) => began)).toBe(limit);
        expect(of(key).filter(({ began }) => began)).toHaveLength(1);
      }
    });

    it('blocks for longer than the window', async () => {
      const wanted = { key: newKey(), limit: 1, windowMs: 1 };
      // Concurrent counts are processed within one millisecond.
      await waitFor('a breach', async () => {
        const counts = await Promise.all([1, 2].map(() => state.blocks.countOrBlock(wanted, 60_000)));
        return counts.some(({ began }) => began);
      });
      await waitFor('the window to be empty', async () => (await state.windows.peek(wanted.key, wanted)).allowed);
      expect((await state.blocks.countOrBlock(wanted, 60_000)).allowed).toBe(false);
    });
  });

  describe('cache', () => {
    it('keeps a value for its time', async () => {
      const key = newKey();
      expect(await state.cache.get(key)).toBeUndefined();
      await state.cache.set(key, 'a välue', 60_000);
      expect(await state.cache.get(key)).toBe('a välue');
      await state.cache.set(key, '', 60_000);
      expect(await state.cache.get(key)).toBe('');
      await state.cache.delete(key);
      expect(await state.cache.get(key)).toBeUndefined();
      await state.cache.set(key, 'short', 30);
      await waitFor('its end', async () => (await state.cache.get(key)) === undefined, { everyMs: 5 });
    });

    it('lets one of many callers set a missing value', async () => {
      const key = newKey();
      const set = await Promise.all(Array.from({ length: 20 }, (_, i) => state.cache.setIfAbsent(key, `${i}`, 60_000)));
      expect(set.filter(Boolean)).toHaveLength(1);
      expect(await state.cache.get(key)).toBe(`${set.indexOf(true)}`);
    });
  });

  describe('locks', () => {
    it('are held by one at a time', async () => {
      const key = newKey();
      const [lock, second] = await Promise.all([state.locks.acquire(key, 60_000), state.locks.acquire(key, 60_000)]);
      expect(second).toBeUndefined();
      await lock?.release();
      expect(await state.locks.acquire(key, 60_000)).toBeDefined();
    });

    it('that have expired are not released by their former holder', async () => {
      const key = newKey();
      const ended = await state.locks.acquire(key, 20);
      await waitFor('the lock to end', () => state.locks.acquire(key, 60_000), { everyMs: 5 });
      await ended?.release();
      expect(await state.locks.acquire(key, 60_000)).toBeUndefined();
    });
  });

  describe('channels', () => {
    it('reach subscribers in order, until they unsubscribe', async () => {
      const channel = newKey();
      const heard: string[] = [];
      const both: string[] = [];
      const stop = await state.channels.subscribe(channel, (message) => heard.push(message));
      const end = await state.channels.subscribe(channel, (message) => both.push(message));
      for (const message of ['one', 'two', 'three']) await state.channels.publish(channel, message);
      await state.channels.publish(newKey(), 'elsewhere');
      await waitFor('three messages', () => heard.length >= 3 && both.length >= 3);
      expect(heard).toEqual(['one', 'two', 'three']);
      await stop();
      await stop();
      await state.channels.publish(channel, 'four');
      await waitFor('the fourth', () => both.length === 4);
      expect(heard).toHaveLength(3);
      await end();
    });
  });
});
