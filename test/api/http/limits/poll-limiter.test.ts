import { expect, test } from 'vitest';
import { createPollLimiter } from '#api/http/limits/poll-limiter.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';

const limit = { limit: 2, windowMs: 60_000 };

test('each key has a separate budget across processes', async () => {
  const shared = createMemorySharedState();
  const [one, other] = [createPollLimiter({ shared }, limit), createPollLimiter({ shared }, limit)];
  expect(await one.count('a')).toEqual({
    headers: { 'ratelimit-policy': '"polls";q=2;w=60', ratelimit: '"polls";r=1;t=60' },
  });
  expect((await other.count('a')).refusal).toBeUndefined();
  expect((await one.count('a')).refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60, began: false });
  expect((await one.count('b')).refusal).toBeUndefined();
});

test('while Redis is unavailable, each process counts separately', async () => {
  const memory = createMemorySharedState();
  const shared: SharedState = {
    ...memory,
    windows: { ...memory.windows, take: async () => Promise.reject(new SharedStateUnavailable('no Redis')) },
  };
  const limiter = createPollLimiter({ shared }, limit);
  const refused = [];
  for (let made = 0; made < 3; made++) refused.push((await limiter.count('a')).refusal !== undefined);
  expect(refused).toEqual([false, false, true]);
});
