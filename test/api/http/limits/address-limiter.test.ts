import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AddressLimiter, createAddressLimiter } from '#api/http/limits/address-limiter.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { startRedis } from '#test/support/services/redis.ts';
import { useRedis } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { openRedisState } from '../../shared-state/redis-state.ts';

const { url, prefix } = await useRedis();
const GUEST = '203.0.113.9';
/** The limiter of one process in which no time passes. */
const still = () => createMemorySharedState({ now: () => 1_000 });

describe('the general limit of an address', () => {
  it('permits 100 requests in 60 s, reports the remainder, and then blocks for 5 minutes', async () => {
    const limiter = createAddressLimiter({ shared: still() });
    expect(await limiter.count(GUEST)).toEqual({
      headers: { 'ratelimit-policy': '"default";q=100;w=60', ratelimit: '"default";r=99;t=60' },
    });
    for (let i = 1; i < 100; i += 1) expect((await limiter.count(GUEST)).refusal).toBeUndefined();
    expect(await limiter.refuseBlocked(GUEST)).toBeUndefined();

    const headers = { 'ratelimit-policy': '"default";q=100;w=60', ratelimit: '"default";r=0;t=300' };
    const breach = await limiter.count(GUEST);
    expect(breach.headers).toEqual(headers);
    expect(breach.refusal).toEqual({
      code: 'rate_limited',
      message: 'too many requests from this address',
      retryAfterSeconds: 300,
      headers,
      began: true,
    });
    expect(await limiter.refuseBlocked(GUEST)).toMatchObject({ retryAfterSeconds: 300, began: false });
    expect(await limiter.refuseBlocked('203.0.113.10')).toBeUndefined();
  });

  it('ends with the block', async () => {
    let now = 1_000;
    const shared = createMemorySharedState({ now: () => now });
    const general = { limit: 2, windowMs: 60_000 };
    await createAddressLimiter({ shared }, { general }).count(GUEST);
    await createAddressLimiter({ shared }, { general }).count(GUEST);
    expect((await createAddressLimiter({ shared }, { general }).count(GUEST)).refusal?.began).toBe(true);
    now += 299_999;
    // A process without a local entry for this address learns of the block from the shared state.
    expect(await createAddressLimiter({ shared }, { general }).refuseBlocked(GUEST)).toMatchObject({
      retryAfterSeconds: 1,
    });
    now += 1;
    expect(await createAddressLimiter({ shared }, { general }).refuseBlocked(GUEST)).toBeUndefined();
    expect((await createAddressLimiter({ shared }, { general }).count(GUEST)).refusal).toBeUndefined();
  });

  it('is shared by all addresses of an IPv6 /64 network', async () => {
    const limiter = createAddressLimiter(
      { shared: createMemorySharedState() },
      { general: { limit: 2, windowMs: 60_000 } },
    );
    for (const host of ['1', '2', '3']) await limiter.count(`2001:db8:0:7::${host}`);
    expect(await limiter.refuseBlocked('2001:db8:0:7:ffff::9')).toBeDefined();
    expect(await limiter.refuseBlocked('2001:db8:0:8::1')).toBeUndefined();
  });

  it('costs no round trip for an address that is known to be blocked or was recently checked', async () => {
    let asked = 0;
    const shared = createMemorySharedState();
    const counting: SharedState = {
      ...shared,
      state: () => 'ok',
      blocks: {
        ...shared.blocks,
        remaining: (key) => {
          asked += 1;
          return shared.blocks.remaining(key);
        },
      },
    };
    const limiter = createAddressLimiter({ shared: counting }, { general: { limit: 1, windowMs: 60_000 } });
    for (let i = 0; i < 50; i += 1) await limiter.refuseBlocked(GUEST);
    expect(asked).toBe(1);
    await limiter.count(GUEST);
    await limiter.count(GUEST);
    for (let i = 0; i < 50; i += 1) expect(await limiter.refuseBlocked(GUEST)).toBeDefined();
    expect(asked).toBe(1);
  });
});

describe('repeated requests of an address', () => {
  function answering(remaining: (key: string) => Promise<number>) {
    const shared = createMemorySharedState();
    const state: SharedState = { ...shared, state: () => 'ok', blocks: { ...shared.blocks, remaining } };
    return createAddressLimiter({ shared: state });
  }

  it('use its last count', async () => {
    const limiter = answering(() => Promise.reject(new Error('must not be called')));
    expect((await limiter.count(GUEST)).refusal).toBeUndefined();
    // Synchronously, without a promise.
    expect(limiter.refuseBlocked(GUEST)).toBeUndefined();
  });

  it('with a key check both limits together', async () => {
    const asked: string[] = [];
    const answer = Promise.withResolvers<number>();
    const limiter = answering((key) => {
      asked.push(key);
      return answer.promise;
    });
    const open = limiter.refuseBlocked(GUEST, { withKey: true });
    expect(asked.toSorted()).toEqual([`address:${GUEST}`, `wrong-keys:${GUEST}`]);
    answer.resolve(0);
    expect(await open).toBeUndefined();
    expect(await limiter.checkKey(GUEST, async () => 'caller')).toEqual({ found: 'caller' });
    expect(asked).toHaveLength(2);
  });

  it('are counted in the pending check, and later only if the caller is known', async () => {
    const asked: string[] = [];
    const limiter = answering(async (key) => {
      asked.push(key);
      return 0;
    });
    const counted = await limiter.countUnknown(GUEST, { withKey: true });
    expect(counted?.headers.ratelimit).toBe('"default";r=99;t=60');
    expect(asked).toEqual([`wrong-keys:${GUEST}`]);
    expect(limiter.countUnknown(GUEST)).toBeUndefined();
    expect((await limiter.count(GUEST)).headers.ratelimit).toBe('"default";r=98;t=60');
  });

  it('fail with the key limit only when the key is checked', async () => {
    const limiter = answering((key) =>
      key.startsWith('wrong-keys') ? Promise.reject(new Error('no')) : Promise.resolve(0),
    );
    expect(await limiter.refuseBlocked(GUEST, { withKey: true })).toBeUndefined();
    await expect(limiter.checkKey(GUEST, async () => 'caller')).rejects.toThrow('no');
  });

  it('never wait for the check, and respect a block by another process', async () => {
    const asked: PromiseWithResolvers<number>[] = [];
    const limiter = answering(() => {
      const answer = Promise.withResolvers<number>();
      asked.push(answer);
      if (asked.length === 1) answer.resolve(0);
      return answer.promise;
    });
    await waitFor('it to be asked about again', async () => {
      expect(await limiter.refuseBlocked(GUEST)).toBeUndefined();
      return asked.length === 2;
    });
    asked[1]?.resolve(60_000);
    await waitFor('the block', () => limiter.refuseBlocked(GUEST));
  });
});

describe('limits across two processes', () => {
  let states: SharedState[];
  let limiters: AddressLimiter[];
  beforeAll(async () => {
    states = await Promise.all([openRedisState({ url, prefix }), openRedisState({ url, prefix })]);
    limiters = states.map((shared) => createAddressLimiter({ shared }));
  });
  afterAll(() => Promise.all(states.map((state) => state.close())));

  it('permit exactly 100 of a burst of 500, report one breach, and block in both', async () => {
    const [one, other] = limiters as [AddressLimiter, AddressLimiter];
    const counted = await Promise.all(Array.from({ length: 500 }, (_, i) => (i % 2 ? one : other).count(GUEST)));
    expect(counted.filter(({ refusal }) => refusal === undefined)).toHaveLength(100);
    expect(counted.filter(({ refusal }) => refusal?.began)).toHaveLength(1);
    expect(await one.refuseBlocked(GUEST)).toBeDefined();
    expect(await other.refuseBlocked(GUEST)).toBeDefined();
  });

  it('block keys of an address in both', async () => {
    const [one, other] = limiters as [AddressLimiter, AddressLimiter];
    const address = '203.0.113.50';
    for (let i = 0; i < 20; i += 1) await (i % 2 ? one : other).checkKey(address, async () => undefined);
    for (const limiter of [one, other]) {
      await waitFor('the gate to be seen closed', async () => {
        return (await limiter.checkKey(address, async () => undefined)).refusal;
      });
    }
  });
});

describe('wrong keys', () => {
  const wrong = async () => undefined;

  it('are verified 20 times; then all keys of the address are rejected', async () => {
    const limiter = createAddressLimiter({ shared: still() });
    let verified = 0;
    const answers = [];
    for (let i = 0; i < 30; i += 1) {
      answers.push(
        await limiter.checkKey(GUEST, async () => {
          verified += 1;
          return i === 29 ? 'right' : undefined;
        }),
      );
    }
    expect(verified).toBe(20);
    expect(answers.map(({ closed }) => closed === true).indexOf(true)).toBe(19);
    expect(answers.filter(({ closed }) => closed)).toHaveLength(1);
    expect(answers[29]).toEqual({ refusal: expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 60 }) });
    // Requests without a key continue, because others may share the address.
    expect(await limiter.refuseBlocked(GUEST)).toBeUndefined();
    expect((await limiter.checkKey('203.0.113.10', async () => 'right')).found).toBe('right');
  });

  it('are not counted if they are right, or could not be verified', async () => {
    const limiter = createAddressLimiter({ shared: createMemorySharedState() });
    for (let i = 0; i < 30; i += 1) {
      expect(await limiter.checkKey(GUEST, async () => 'right')).toEqual({ found: 'right' });
      await expect(limiter.checkKey(GUEST, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    }
    expect(await limiter.checkKey(GUEST, wrong)).toEqual({ found: undefined, closed: false });
  });

  it('of a burst are verified no more often than the window permits', async () => {
    const limiter = createAddressLimiter({ shared: createMemorySharedState() });
    let verified = 0;
    const gate = Promise.withResolvers<undefined>();
    const burst = Array.from({ length: 500 }, () =>
      limiter.checkKey(GUEST, () => {
        verified += 1;
        return gate.promise;
      }),
    );
    await waitFor('all to have come', () => verified >= 100);
    gate.resolve(undefined);
    const answers = await Promise.all(burst);
    expect(verified).toBe(100);
    expect(answers.filter(({ refusal }) => refusal !== undefined)).toHaveLength(400);
    expect((await limiter.checkKey(GUEST, wrong)).refusal).toBeDefined();
  });
});

describe('while Redis is unavailable', () => {
  it('each process counts separately, keeps known blocks, and reports it; afterwards all count together again', async () => {
    const redis = await startRedis();
    const shared = await openRedisState({ url: redis.url });
    try {
      const limiter = createAddressLimiter({ shared }, { general: { limit: 3, windowMs: 60_000 } });
      for (let i = 0; i < 4; i += 1) await limiter.count('192.0.2.66');
      expect(limiter.state()).toBe('ok');
      await redis.kill9();
      await waitFor('it to be noticed', () => limiter.state() === 'degraded');

      expect(await limiter.refuseBlocked('192.0.2.66')).toBeDefined();
      expect(await limiter.refuseBlocked(GUEST)).toBeUndefined();
      const counted = await Promise.all(Array.from({ length: 10 }, () => limiter.count(GUEST)));
      expect(counted.filter(({ refusal }) => refusal === undefined)).toHaveLength(3);
      expect(await limiter.refuseBlocked(GUEST)).toBeDefined();
      expect(await limiter.checkKey('192.0.2.1', async () => 'right')).toEqual({ found: 'right' });

      await redis.restart();
      await waitFor('it to be back', () => limiter.state() === 'ok');
      await limiter.count('192.0.2.2');
      const last = await shared.blocks.countOrBlock({ key: 'address:192.0.2.2', limit: 3, windowMs: 60_000 }, 1_000);
      expect(last).toMatchObject({ remaining: 1 });
    } finally {
      await shared.close();
      await redis.stop();
    }
  });
});
