import { randomBytes } from 'node:crypto';
import { type Accounts, createAccounts } from '#api/accounts/accounts.ts';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { createOneTimeCodes } from '#api/accounts/passwords/one-time-code.ts';
import { createOpenSignIn } from '#api/accounts/second-factor/open-sign-in.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createBackground } from '#api/accounts/sign-in/background.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';
import { randomName } from '../support/random-name.ts';
import { startPostgres } from '../support/services/postgres.ts';
import type { BenchContext } from './context.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';
import { criticalDistance, largestDistance, rankDeviation, smallestDetected } from './two-samples.ts';

/** Samples per kind of address. */
const SAMPLES = 2000;
/** Samples per kind with hashes as slow as in production. */
const SLOW_SAMPLES = 200;
/** Warm-up samples. */
const WARM_UP = 50;
/** Accounts per kind. None is tried often enough to be locked. */
const ACCOUNTS = 600;
const CHANCE = 0.001;
const SECRET = 'a secret of the benchmark, 32 characters';
const PASSWORD = 'otter-lamp-quarry-77';

/** Kinds of accounts, all with the same password. `unknown` has no account. */
const KINDS = ['unknown', 'wrong', 'locked', 'disabled'] as const;
type Kind = (typeof KINDS)[number];

/**
 * Measures what an attacker learns about an address by timing: 2,000 rejected requests for each kind, in random order,
 * one at a time, without rate limits and without jitter. First with cheap hashes, which hide nothing, then with hashes
 * as slow as in production. The distributions of each kind and of unknown addresses must be as close as chance makes
 * them in 999 of 1,000 cases.
 */
export async function benchAccountTiming({ progress }: Pick<BenchContext, 'progress'>): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url });
  try {
    await migrateDatabase(database);
    const withCheap = await withAccounts(database, 4, async (cheap) => [
      ...(await registeredOrNot(database, cheap.accounts, progress)),
      ...(await kinds(database, cheap, 'cheap', SAMPLES, progress)),
    ]);
    const withSlow = await withAccounts(database, 10, (slow) => kinds(database, slow, 'slow', SLOW_SAMPLES, progress));
    return [...withCheap, ...withSlow];
  } finally {
    await database.destroy();
    await postgres.stop();
  }
}

interface Started {
  readonly accounts: Accounts;
  readonly hasher: ReturnType<typeof createHasher>;
}

/** @param cost of a hash, as a power of two */
async function withAccounts<T>(database: Database, cost: number, use: (started: Started) => Promise<T>): Promise<T> {
  const hasher = createHasher({ threads: 1, cost });
  const background = createBackground({
    onFailure: (error) => {
      throw error;
    },
  });
  const open = async () => undefined;
  const sessions = createSessions({ database }, { secrets: [SECRET] });
  const audit = createAudit();
  const accounts = createAccounts(
    {
      database,
      hasher,
      background,
      channels: { publish: async () => {} },
      jobs: createJobQueue({ database, logger: QUIET_LOG }),
      sessions,
      setUpSecrets: [SECRET],
      openSignIn: createOpenSignIn({ sessions, audit }),
      providerSignOut: async () => undefined,
      audit,
      codes: createOneTimeCodes({ secrets: [SECRET] }),
      limits: {
        signIn: open,
        signedIn: open as never,
        signInFailed: open as never,
        verifyCode: open,
        codeVerified: open as never,
        sendCode: open,
        requestReset: open,
      },
      report: () => {},
      ...createKeyMaking({ hasher }),
    },
    { registration: 'open', jitterMs: 0, confirmsByMail: true },
  );
  try {
    return await use({ accounts, hasher });
  } finally {
    await background.settled();
    await hasher.close();
  }
}

/** Requests codes and reset links, and tries wrong codes, for addresses with and without an account. */
async function registeredOrNot(
  database: Database,
  accounts: Accounts,
  progress: (text: string) => void,
): Promise<BenchRow[]> {
  const name = randomName('r');
  await addAccounts(database, name, 'wrong', 'none');
  const address = (registered: string, at: number) =>
    `${name}${at % ACCOUNTS}@${registered === 'registered' ? 'wrong' : 'unknown'}.example`;
  const measure = async (what: string, act: (email: string) => Promise<unknown>) => {
    progress(`account-timing: ${what}`);
    const times = await inRandomOrder(['unknown', 'registered'], SAMPLES, (kind, at) => act(address(kind, at)));
    return compared(`account timing: ${what}, registered or not`, times, 'registered');
  };
  const code = await measure('code sent', (email) => accounts.requestCode(email, newOrigin()));
  const reset = await measure('reset asked for', (email) => accounts.requestReset(email, newOrigin()));
  // Runs the jobs of the requested codes as the worker would: the same for both.
  for (let at = 0; at < ACCOUNTS; at += 1)
    for (const kind of ['unknown', 'registered'])
      await database
        .insertInto('oneTimeCodes')
        .values({ email: address(kind, at), codeHash: randomBytes(32), expiresAt: new Date(Date.now() + 3_600_000) })
        .execute();
  const verify = await measure('wrong code', (email) =>
    accounts.register({ username: 'another-user', email, password: PASSWORD, otp: '000000' }, newOrigin()),
  );
  return [code, reset, verify];
}

/**
 * Signs in with a wrong password for every kind of account. Locked and disabled accounts would be rejected with the
 * right password too.
 */
async function kinds(
  database: Database,
  { accounts, hasher }: Started,
  name: string,
  samples: number,
  progress: (text: string) => void,
): Promise<BenchRow[]> {
  progress(`account-timing: sign-in with ${name} hashes`);
  const hash = await hasher.hash(PASSWORD);
  const prefix = randomName(name[0] ?? '');
  for (const kind of KINDS) if (kind !== 'unknown') await addAccounts(database, prefix, kind, hash);
  const times = await inRandomOrder(KINDS, samples, async (kind, at) => {
    const password = kind === 'wrong' ? 'not the password' : PASSWORD;
    const result = await accounts.signIn(`${prefix}${at % ACCOUNTS}@${kind}.example`, password, newOrigin());
    if (result.kind !== 'refused') throw new Error(`${kind}: a refusal was expected, not ${result.kind}`);
  });
  return KINDS.filter((kind) => kind !== 'unknown').map((kind) =>
    compared(`account timing: sign-in, ${kind} or unknown, ${name} hashes`, times, kind),
  );
}

async function addAccounts(database: Database, name: string, kind: Kind, passwordHash: string): Promise<void> {
  const lockUntil = kind === 'locked' ? new Date(Date.now() + 3_600_000) : null;
  const accounts = Array.from({ length: ACCOUNTS }, (_value, at) => ({
    username: `${kind}-${name}-${at}`.slice(0, 32),
    email: `${name}${at}@${kind}.example`,
    passwordHash,
    disabled: kind === 'disabled',
    lockUntil,
    emailVerified: true,
  }));
  await database.insertInto('users').values(accounts).execute();
}

/** Milliseconds of each operation by kind, in random order, so that neither drift nor repetition favours a kind. */
async function inRandomOrder<K extends string>(
  kinds: readonly K[],
  samples: number,
  act: (kind: K, at: number) => Promise<unknown>,
): Promise<ReadonlyMap<K, readonly number[]>> {
  const times = new Map<K, number[]>(kinds.map((kind) => [kind, []]));
  for (let at = 0; at < WARM_UP + samples; at += 1) {
    for (const kind of shuffled(kinds)) {
      const start = performance.now();
      await act(kind, at);
      if (at >= WARM_UP) times.get(kind)?.push(performance.now() - start);
    }
  }
  return times;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, by: Math.random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ value }) => value);
}

function compared<K extends string>(name: string, times: ReadonlyMap<K, readonly number[]>, kind: K): BenchRow {
  const [mine, unknown] = [times.get(kind) ?? [], times.get('unknown' as K) ?? []];
  const critical = criticalDistance(mine.length, unknown.length, CHANCE);
  const distance = largestDistance(mine, unknown);
  const line = (label: string, values: readonly number[]) =>
    `${label.padEnd(10)} median ${median(values).toFixed(3)} ms, p10 ${percentile(values, 0.1).toFixed(3)}, p90 ${percentile(values, 0.9).toFixed(3)}, p99 ${percentile(values, 0.99).toFixed(3)}`;
  return {
    ...boundRow(`${name} (distance)`, 'of 1', distance, critical),
    details: [
      line(kind, mine),
      line('unknown', unknown),
      `ranks apart by ${rankDeviation(mine, unknown).toFixed(2)} standard deviations; a shift of ${(smallestDetected(mine, unknown, critical) * 1000).toFixed(0)} µs would be detected with ${mine.length} samples each`,
    ],
  };
}

function newOrigin() {
  return { ip: '192.0.2.1', userAgent: 'bench', requestId: 'bench' };
}
