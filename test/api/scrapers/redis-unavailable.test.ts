import { expect, onTestFinished, test } from 'vitest';
import { codehostUser } from '#api/scrapers/codehost-user.ts';
import { startRedis } from '../../support/services/redis.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openRedisState } from '../shared-state/redis-state.ts';
import { startCodeHost } from './code-host-server.ts';
import { runPipeline } from './running-pipeline.ts';

test('while Redis is unavailable, the local cache is served and identical requests still share a call; afterwards Redis is used again', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const shared = await openRedisState({ url: redis.url });
  onTestFinished(() => shared.close());
  const codeHost = await startCodeHost();
  const { call } = runPipeline(shared, codeHost);
  await call(codehostUser, { username: 'octocat' });

  await redis.kill9();
  expect(await call(codehostUser, { username: 'octocat' })).toMatchObject({ cached: true });
  const others = Array.from({ length: 20 }, () => call(codehostUser, { username: 'unknown' }));
  expect((await Promise.all(others)).every(({ answer }) => answer.kind === 'not_found')).toBe(true);
  expect(codeHost.requests).toHaveLength(2);

  await redis.restart();
  await waitFor('Redis to be back', () => shared.state() === 'ok');
  await call(codehostUser, { username: 'someone' });
  const another = runPipeline(shared, codeHost);
  expect(await another.call(codehostUser, { username: 'someone' })).toMatchObject({ cached: true });
});
