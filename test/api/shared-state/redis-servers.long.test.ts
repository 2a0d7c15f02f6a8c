import { afterEach, expect, it } from 'vitest';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import type { RedisServers } from '#api/shared-state/redis-servers.ts';
import { startRedisCluster, startRedisSentinels } from '../../support/services/redis-servers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { silentLogger } from './silent-logger.ts';

const LIMIT = { limit: 1_000, windowMs: 3_600_000 };
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function connect(servers: RedisServers): Promise<SharedState> {
  const state = await createRedisSharedState({ servers, logger: silentLogger, commandMs: 1_000 });
  stops.push(() => state.close());
  await waitFor('Redis to be there', () => state.state() === 'ok');
  return state;
}

/** Resolves when a published message is received. */
async function hears(state: SharedState, channel: string): Promise<void> {
  const heard: string[] = [];
  const end = await state.channels.subscribe(channel, (message) => heard.push(message));
  await waitFor('a message', async () => {
    await state.channels.publish(channel, 'said').catch(noneIfUnavailable);
    return heard.length > 0;
  });
  await end();
}

function noneIfUnavailable(error: unknown): undefined {
  if (!(error instanceof SharedStateUnavailable)) throw error;
}

it('moves to the primary chosen by Sentinels, over TLS, with minimal rights', async () => {
  const account = { user: 'trapline', password: 'rights-of-trapline-alone' };
  const redis = await startRedisSentinels(account);
  stops.push(() => redis.stop());
  const { name, urls, ca } = redis;
  const sentinel = { name, user: account.user, password: account.password };
  const state = await connect({ urls, ca, sentinel });
  const wanted = [{ key: 'k', ...LIMIT }];
  await state.windows.take(wanted);
  expect((await state.blocks.countOrBlock({ key: 'k', ...LIMIT }, 1_000)).remaining).toBe(999);
  expect(await state.cache.setIfAbsent('k', 'v', 60_000)).toBe(true);
  await (await state.locks.acquire('k', 60_000))?.release();
  await hears(state, 'feed');

  // The server neither responds nor closes a connection.
  await redis.primary.process.signal('SIGSTOP');
  await expect(state.windows.take(wanted)).rejects.toEqual(new SharedStateUnavailable('Redis does not respond'));
  const counted = await waitFor('the new primary', () => state.windows.take(wanted).catch(noneIfUnavailable));
  // The replica has received the earlier counts.
  expect(counted.remaining).toBeLessThanOrEqual(998);
  await hears(state, 'feed');
});

it('continues with the other nodes of a cluster when one is killed, and with all keys after the fail-over', async () => {
  const cluster = await startRedisCluster();
  stops.push(() => cluster.stop());
  const state = await connect({ urls: cluster.urls, cluster: true });
  const keys = Array.from({ length: 100 }, (_, i) => `address ${i}`);
  let calls = 0;
  const countAll = () => {
    calls += 1;
    return Promise.allSettled(keys.map((key) => state.blocks.countOrBlock({ key, ...LIMIT }, 1_000)));
  };
  expect((await countAll()).every(({ status }) => status === 'fulfilled')).toBe(true);
  await hears(state, 'feed');

  await cluster.nodes[0]?.process.kill9();
  const during = await countAll();
  expect(during.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(30);
  for (const one of during) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(SharedStateUnavailable);
  expect(state.state()).toBe('ok');

  const after = await waitFor('all keys to be served', async () => {
    const counts = await countAll();
    return counts.every(({ status }) => status === 'fulfilled') && counts;
  });
  // No call was counted twice. Counts that the replica had not received are lost.
  const left = after.map((one) => (one.status === 'fulfilled' ? one.value.remaining : Number.NaN));
  expect(Math.min(...left)).toBeGreaterThanOrEqual(LIMIT.limit - calls);
  await hears(state, 'feed');
});
