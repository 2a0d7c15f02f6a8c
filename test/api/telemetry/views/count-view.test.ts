import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#api/postgres/database.ts';
import { Redis } from '#api/shared-state/ioredis.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { createCountView } from '#api/telemetry/views/count-view.ts';
import { openRedisState } from '#test/api/shared-state/redis-state.ts';
import { startRedis } from '#test/support/services/redis.ts';
import { randomName, usePostgres, useRedis } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const SECRET = 'a secret of the tests, long enough';
let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});

function inMemory() {
  let time = 0;
  const shared = createMemorySharedState({ now: () => time });
  const count = createCountView({ database, shared }, { secret: SECRET });
  return {
    count,
    pass(ms: number) {
      time += ms;
    },
  };
}

describe('page views: debounced 5 minutes per IP and slug', () => {
  test('count once in five minutes for an address and page', async () => {
    const { count, pass } = inMemory();
    const slug = randomName('page');
    expect(await count(slug, '192.0.2.1')).toBe(1);
    expect(await count(slug, '192.0.2.1')).toBe(1);
    expect(await count(slug, '192.0.2.2')).toBe(2);
    expect(await count(randomName('page'), '192.0.2.1')).toBe(1);
    pass(5 * 60_000 - 1);
    expect(await count(slug, '192.0.2.1')).toBe(2);
    pass(1);
    expect(await count(slug, '192.0.2.1')).toBe(3);
  });

  test('of a whole IPv6 network count as one address', async () => {
    const { count } = inMemory();
    const slug = randomName('page');
    await count(slug, '2001:db8:0:7::1');
    expect(await count(slug, '2001:db8:0:7:ffff::2')).toBe(1);
    expect(await count(slug, '2001:db8:0:8::1')).toBe(2);
  });

  test('count once per address for concurrent requests to several processes', async () => {
    const { url, prefix } = await useRedis();
    const processes = await Promise.all(
      [1, 2].map(async () => {
        const shared = await openRedisState({ url, prefix });
        onTestFinished(() => shared.close());
        return createCountView({ database, shared }, { secret: SECRET });
      }),
    );
    const slug = randomName('page');
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => processes[n % 2]?.(slug, `192.0.2.${Math.floor(n / 2) % 3}`)),
    );
    expect(await processes[0]?.(slug, '192.0.2.0')).toBe(3);

    // The shared state contains neither the address nor the page.
    const redis = new Redis(url);
    onTestFinished(() => void redis.disconnect());
    const keys = await redis.keys(`${prefix}*page-view*`);
    expect(keys).toHaveLength(3);
    expect(keys.join()).not.toMatch(new RegExp(`192|${slug}`));
  });

  test('continue while Redis is unavailable, in each process separately', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const shared = await openRedisState({ url: redis.url, prefix: 'test:' });
    onTestFinished(() => shared.close());
    const count = createCountView({ database, shared }, { secret: SECRET });
    const slug = randomName('page');
    expect(await count(slug, '192.0.2.1')).toBe(1);
    await redis.kill9();
    await waitFor('the loss to be noticed', () => shared.state() === 'down');
    expect(await count(slug, '192.0.2.2')).toBe(2);
    expect(await count(slug, '192.0.2.2')).toBe(2);
  });

  test('are not lost when the database fails: the next attempt counts', async () => {
    const shared = createMemorySharedState();
    const { database: broken } = await usePostgres({ migrated: false });
    const slug = randomName('page');
    await expect(
      createCountView({ database: broken, shared }, { secret: SECRET })(slug, '192.0.2.1'),
    ).rejects.toThrow();
    expect(await createCountView({ database, shared }, { secret: SECRET })(slug, '192.0.2.1')).toBe(1);
  });
});
