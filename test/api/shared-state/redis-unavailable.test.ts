import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Redis } from '#api/shared-state/ioredis.ts';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { startRedis } from '../../support/services/redis.ts';
import { startStallingProxy } from '../../support/services/stalling-proxy.ts';
import { waitFor } from '../../support/wait-for.ts';

const PREFIX = 'away:';
const WANTED = [{ key: 'k', limit: 3, windowMs: 60_000 }];
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it('fails fast while Redis is unavailable, and recovers afterwards', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const { state, said } = await connect(redis.url, 1_000);
  const heard: string[] = [];
  await state.channels.subscribe('feed', (message) => heard.push(message));
  expect((await state.windows.take(WANTED)).remaining).toBe(2);

  await redis.kill9();
  await waitFor('it to be noticed', () => state.state() === 'down');
  const asked = await Promise.allSettled([
    ...Array.from({ length: 200 }, () => state.windows.take(WANTED)),
    state.blocks.remaining('k'),
    state.cache.get('k'),
    state.locks.acquire('k', 1_000),
    state.channels.publish('feed', 'lost'),
  ]);
  // Answered from the local cache: none of them waited for a response.
  for (const answer of asked) {
    expect(answer.status === 'rejected' && answer.reason).toEqual(new SharedStateUnavailable('Redis is unavailable'));
  }
  // A new subscription does not wait, and receives messages when Redis is back.
  await state.channels.subscribe('late', (message) => heard.push(message));

  await redis.restart();
  await waitFor('it to be back', () => state.state() === 'ok');
  // Redis restarted empty, without the scripts. Commands that failed were not sent later.
  expect((await state.windows.take(WANTED)).remaining).toBe(2);
  await waitFor('a message', async () => {
    await state.channels.publish('feed', 'back');
    await state.channels.publish('late', 'back, too');
    return heard.includes('back') && heard.includes('back, too');
  });
  expect(heard).not.toContain('lost');
  expect(said.filter((message) => message === 'Redis is unavailable').length).toBeGreaterThan(0);
});

it('rejects a command without a reply when the connection closes, and sends the next ones afterwards', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const target = Number(new URL(redis.url).port);
  const proxy = await startStallingProxy(target);
  const { state } = await connect(`redis://127.0.0.1:${proxy.port}`, 60_000);
  proxy.stall();
  const asked = state.cache.get('k').catch(String);
  await nextIteration(); // sends it
  await proxy.stop();
  await waitFor('it to be noticed', () => state.state() === 'down');
  const again = await startStallingProxy(target, proxy.port);
  stops.push(() => again.stop());
  await waitFor('a new connection', () => state.state() === 'ok');
  expect(await state.cache.get('k')).toBeUndefined();
  expect(await asked).toMatch(/: Redis is unavailable: /);
});

it('replaces an unresponsive connection', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const proxy = await startStallingProxy(Number(new URL(redis.url).port));
  stops.push(() => proxy.stop());
  const { state } = await connect(`redis://127.0.0.1:${proxy.port}`, 1_000);
  const heard: string[] = [];
  await state.channels.subscribe('feed', (message) => heard.push(message));
  await state.windows.take(WANTED);

  proxy.stall();
  await expect(state.windows.take(WANTED)).rejects.toEqual(new SharedStateUnavailable('Redis does not respond'));
  expect(state.state()).toBe('down');
  await expect(state.windows.take(WANTED)).rejects.toEqual(new SharedStateUnavailable('Redis is unavailable'));

  await waitFor('a new connection', () => state.state() === 'ok');
  await waitFor('a message over a new subscription', async () => {
    await state.channels.publish('feed', 'heard again');
    return heard.includes('heard again');
  });
});

it('does not treat its own delay as an unresponsive connection', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const { state } = await connect(redis.url, 250);
  await state.cache.set('k', 'value', 60_000);
  const asked = [state.cache.get('k'), state.cache.get('k')];
  for (const until = performance.now() + 600; performance.now() < until; );
  expect(await Promise.all(asked)).toEqual(['value', 'value']);
  expect(state.state()).toBe('ok');
});

it('never logs the password when it is rejected', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const url = new URL(redis.url);
  const { state, lines } = await connect(`redis://user:hunter2-hunter2@${url.host}`);
  const error = await state.cache.get('k').catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(SharedStateUnavailable);
  await waitFor('a line', () => lines.length > 0);
  expect(JSON.stringify([lines, error, (error as Error).stack, (error as Error).cause])).not.toContain('hunter2');
});

it('distinguishes a rejected command from an unavailable Redis, without its values', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const { state } = await connect(redis.url);
  const other = new Redis(redis.url);
  stops.push(async () => other.disconnect());
  await other.set(`${PREFIX}window:{windows}:k`, 'not a list');
  const error = await state.windows.take(WANTED).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(SharedStateUnavailable);
  expect(String(error)).toContain('WRONGTYPE');
  expect(Object.keys(error as object)).toEqual([]);
  expect(state.state()).toBe('ok');
});

/** Commands may take long, so only a server that does not respond at all counts as silent. */
async function connect(
  url: string,
  commandMs = 20_000,
): Promise<{ state: SharedState; said: string[]; lines: unknown[] }> {
  const lines: unknown[] = [];
  const said: string[] = [];
  const note = (fields: object, message: string) => {
    lines.push([fields, message]);
    said.push(message);
  };
  const logger = { info: note, warn: note, error: note };
  const state = await createRedisSharedState({ servers: { urls: [url] }, prefix: PREFIX, logger, commandMs });
  stops.push(() => state.close());
  return { state, said, lines };
}
