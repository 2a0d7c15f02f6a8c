import { afterAll, describe, expect, it } from 'vitest';
import { createSignInLimits, type Guesser, type SignInLimits } from '#api/accounts/sign-in/sign-in-limits.ts';
import { Redis } from '#api/shared-state/ioredis.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { randomName, useRedis } from '#test/support/use-services.ts';
import { openRedisState } from '../../shared-state/redis-state.ts';
import { silentLogger } from '../../shared-state/silent-logger.ts';

const { url, prefix } = await useRedis();
const shared = await openRedisState({ url, prefix });
afterAll(() => shared.close());
const limits = createSignInLimits({ shared }, { secret: 'a secret of all processes, 32 chars' });
const MINUTES = 60;

/** Returns how many of `tries` concurrent attempts are allowed. */
async function passing(ask: keyof SignInLimits, tries: readonly Guesser[]): Promise<number> {
  const answers = await Promise.all(tries.map((origin) => limits[ask](origin)));
  return answers.filter((answer) => answer === undefined).length;
}

const times = (count: number, origin: (i: number) => Guesser) => Array.from({ length: count }, (_, i) => origin(i));
const email = () => `${randomName('person')}@example.org`;
let hosts = 1;
const ip = () => `198.51.100.${hosts++}`;

describe('limits concurrent attempts', () => {
  // Limits of the specification for sign-in and code verification; limits of the wire contract for sending codes and
  // reset requests.
  it.each([
    ['signIn', 10, 20, 10 * MINUTES],
    ['verifyCode', 10, 50, 10 * MINUTES],
    ['sendCode', 5, 20, 60 * MINUTES],
    ['requestReset', 5, 20, 60 * MINUTES],
  ] as const)('%s: %i for one e-mail address, %i from one IP', async (ask, perSubject, perIp, seconds) => {
    const one = { ip: ip(), email: email() };
    expect(
      await passing(
        ask,
        times(30, () => one),
      ),
    ).toBe(perSubject);
    const refusal = await limits[ask](one);
    expect(refusal).toMatchObject({ code: 'rate_limited', message: 'too many attempts', headers: {} });
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(seconds - 30);
    expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(seconds);
    // Attempts that were rejected for the e-mail address do not count for the IP address.
    expect(
      await passing(
        ask,
        times(100, () => ({ ip: one.ip, email: email() })),
      ),
    ).toBe(perIp - perSubject);
    expect(await limits[ask]({ ip: ip(), email: email() })).toBeUndefined();
  });

  it.each(['signIn', 'verifyCode'] as const)(
    '%s: others continue from other IPs with the same e-mail address',
    async (ask) => {
      const victim = email();
      await passing(
        ask,
        times(12, () => ({ ip: '203.0.113.66', email: victim })),
      );
      expect(await limits[ask]({ ip: ip(), email: victim })).toBeUndefined();
    },
  );

  it.each(['sendCode', 'requestReset'] as const)('%s: counts an e-mail address regardless of the IP', async (ask) => {
    const victim = email();
    expect(
      await passing(
        ask,
        times(12, () => ({ ip: ip(), email: victim })),
      ),
    ).toBe(5);
  });

  it('regardless of the case of the e-mail address, and of the address within an IPv6 network', async () => {
    const name = randomName('person');
    const spellings = [`${name}@example.org`, `${name.toUpperCase()}@Example.ORG`, ` ${name}@example.org`];
    const tries = times(24, (i) => ({ ip: `2001:db8:0:9::${i + 1}`, email: spellings[i % 3] as string }));
    expect(await passing('signIn', tries)).toBe(10);
  });
});

describe('after success', () => {
  it('resets both counters of sign-in', async () => {
    const one = { ip: ip(), email: email() };
    await passing(
      'signIn',
      times(10, () => one),
    );
    await passing(
      'signIn',
      times(10, () => ({ ip: one.ip, email: email() })),
    );
    expect(await limits.signIn(one)).toBeDefined();
    await limits.signedIn(one);
    expect(
      await passing(
        'signIn',
        times(30, () => one),
      ),
    ).toBe(10);
    expect(
      await passing(
        'signIn',
        times(30, () => ({ ip: one.ip, email: email() })),
      ),
    ).toBe(10);
  });

  it('resets the counter of a code, but not the attempts of the IP with other addresses', async () => {
    const one = { ip: ip(), email: email() };
    expect(
      await passing(
        'verifyCode',
        times(45, () => ({ ip: one.ip, email: email() })),
      ),
    ).toBe(45);
    expect(
      await passing(
        'verifyCode',
        times(4, () => one),
      ),
    ).toBe(4);
    await limits.codeVerified(one);
    expect(
      await passing(
        'verifyCode',
        times(4, () => one),
      ),
    ).toBe(1);
  });
});

it('an IP that fails with fifty addresses is rejected, also when it signs in to its own account after each attempt; other IPs are not', async () => {
  const own = { ip: ip(), email: email() };
  const others = times(50, () => ({ ip: own.ip, email: email() }));
  for (const other of others) {
    expect(await limits.signIn(other)).toBeUndefined();
    await limits.signInFailed(other);
    await limits.signInFailed(other); // repeated failures of one account count once
    await limits.signedIn(own);
  }
  const refusal = await limits.signIn({ ip: own.ip, email: email() });
  expect(refusal).toMatchObject({ code: 'rate_limited', began: false });
  expect(refusal?.retryAfterSeconds).toBeGreaterThan(3500);
  expect(await limits.signIn(own)).toBeDefined();
  expect(await limits.signIn({ ip: ip(), email: own.email })).toBeUndefined();
});

it('the names of keys contain no e-mail address', async () => {
  const one = { ip: ip(), email: email() };
  for (const ask of ['signIn', 'verifyCode', 'sendCode', 'requestReset'] as const) await limits[ask](one);
  const redis = new Redis(url);
  try {
    const keys = await redis.keys(`${prefix}*`);
    expect(keys.filter((key) => key.includes(one.ip)).length).toBeGreaterThanOrEqual(6);
    expect(keys.filter((key) => key.includes('@') || key.includes(one.email.split('@')[0] as string))).toEqual([]);
  } finally {
    redis.disconnect();
  }
});

it('rejects every attempt while Redis is unavailable, and clearing is not an error', async () => {
  const away = await createRedisSharedState({ servers: { urls: ['redis://127.0.0.1:1'] }, logger: silentLogger });
  const refusing = createSignInLimits({ shared: away }, { secret: 'x'.repeat(32) });
  const one = { ip: ip(), email: email() };
  for (const ask of ['signIn', 'verifyCode', 'sendCode', 'requestReset'] as const) {
    expect(await refusing[ask](one)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  }
  await refusing.signedIn(one);
  await refusing.signInFailed(one);
  await refusing.codeVerified(one);
  await away.close();
});

it('uses the configured limits', async () => {
  const windows = { perIp: { limit: 3, windowMs: 60_000 }, perSubject: { limit: 2, windowMs: 60_000 } };
  const set = createSignInLimits(
    { shared: createMemorySharedState() },
    {
      secret: 'x'.repeat(32),
      limits: { 'sign-in': windows, 'verify-code': windows, 'send-code': windows, 'request-reset': windows },
      failedAccounts: { limit: 1, windowMs: 60_000 },
    },
  );
  const one = { ip: ip(), email: email() };
  for (const ask of ['signIn', 'verifyCode', 'sendCode', 'requestReset'] as const) {
    const tries = [one, one, one, { ...one, email: email() }, { ...one, email: email() }];
    const refused = [];
    for (const origin of tries) refused.push((await set[ask](origin)) !== undefined);
    expect([ask, refused]).toEqual([ask, [false, false, true, false, true]]);
  }
  const other = { ip: ip(), email: email() };
  await set.signInFailed(other);
  expect(await set.signIn(other)).toMatchObject({ code: 'rate_limited' });
});

it('also works in the memory of one process', async () => {
  const embedded = createSignInLimits({ shared: createMemorySharedState() }, { secret: 'x'.repeat(32) });
  const one = { ip: ip(), email: email() };
  const answers = await Promise.all(times(30, () => one).map((origin) => embedded.signIn(origin)));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(10);
});
