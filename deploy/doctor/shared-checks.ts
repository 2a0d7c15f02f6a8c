import { randomUUID } from 'node:crypto';
import { compareSecret } from '#api/accounts/secrets/shared-secrets.ts';
import { findSecretFingerprint } from '#api/accounts/tables/secret-fingerprints.ts';
import { countSealed } from '#api/executions/secrets/reseal.ts';
import type { Database } from '#api/postgres/database.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { pendingMigrations } from '#api/postgres/migrations/migrate.ts';
import type { SharedState, SharedStateLogger } from '#api/shared-state/port.ts';
import type { Config } from '../config.ts';
import {
  configuredSecret,
  existingSecret,
  SHARED_SECRETS,
  type SharedSecretName,
  secretFileOf,
} from '../platform-secrets.ts';
import { openConfiguredRedis } from '../processes/shared-state-part.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { secretDifference } from '../shared-secrets.ts';
import { type Check, type Finding, fine, look, wrong } from './check.ts';

/** Timeout of Redis. */
const REDIS_ANSWER_MS = 5_000;

/** Checks the settings that processes with the same `DATABASE_URL` must share. */
export function sharedChecks(config: Config): Check[] {
  const { directUrl: url } = config.postgres;
  if (url === undefined) return [];
  return [
    ...SHARED_SECRETS.map((name) => ({
      name,
      advice: 'check DATABASE_URL',
      run: async () => {
        const database = createDatabase({ url, connections: 1, statementTimeoutMs: 5_000 });
        try {
          return await checkSecret(config, database, name);
        } finally {
          await database.destroy();
        }
      },
    })),
    {
      name: 'encrypted values',
      advice: 'look at DATABASE_URL',
      run: async () => {
        const database = createDatabase({ url, connections: 1, statementTimeoutMs: 5_000 });
        try {
          return await checkSealed(config, database);
        } finally {
          await database.destroy();
        }
      },
    },
    { name: 'shared limits', advice: '', run: () => checkLimits(config) },
  ];
}

async function checkSecret(config: Config, database: Database, name: SharedSecretName): Promise<Finding> {
  const values = await existingSecret(config, name);
  const migrated = (await pendingMigrations(database)).length === 0;
  const recorded = migrated && (await findSecretFingerprint(database, name)) !== undefined;
  if (values === undefined) {
    return recorded
      ? wrong(
          'not set, and this data directory has none: a start would generate one that differs from the one of the database',
          `set ${name} to the value of the other processes`,
        )
      : look('not set: generated at the first start', setIt(name));
  }
  const comparison = recorded ? await compareSecret(database, { name, values }) : 'unrecorded';
  if (comparison === 'different') return wrong(secretDifference(config, name), '');
  if (configuredSecret(config, name) === undefined)
    return look(`not set: the one in ${secretFileOf(config, name)} is used`, setIt(name));
  return fine(
    {
      unrecorded: 'set; no process has used this database yet',
      current: 'set; the one that this database is used with',
      older: 'set; its first value becomes the one of this database at the next start',
    }[comparison],
  );
}

/** Reports values that AUTH_SECRET cannot decrypt, or only by its older values. */
async function checkSealed(config: Config, database: Database): Promise<Finding> {
  const secrets = await existingSecret(config, 'AUTH_SECRET');
  if (secrets === undefined || (await pendingMigrations(database)).length > 0)
    return fine('not checked: AUTH_SECRET is not set, or the database is not migrated');
  const counts = await countSealed(database, SEALED_COLUMNS, secrets);
  const withSome = (state: 'older' | 'unknown') =>
    counts.filter((one) => one[state] > 0).map((one) => `${one[state]} in ${one.values}`);
  const unknown = withSome('unknown');
  if (unknown.length > 0)
    return look(
      `no value of AUTH_SECRET decrypts ${unknown.join(', ')}`,
      'add the value that encrypted them to the end of AUTH_SECRET and run `trapline secrets reseal`, or set them again',
    );
  const older = withSome('older');
  if (older.length > 0)
    return look(
      `an older value of AUTH_SECRET encrypted ${older.join(', ')}`,
      'run `trapline secrets reseal` before you remove the older value',
    );
  return fine(`${counts.reduce((sum, { current }) => sum + current, 0)}, by the first value of AUTH_SECRET`);
}

function setIt(name: SharedSecretName): string {
  return `set ${name} when more than one process uses this database: all must have the same one`;
}

async function checkLimits({ redis }: Config): Promise<Finding> {
  if (redis === undefined)
    return look(
      'REDIS_URL is not set: each process counts sign-ins and requests alone',
      'set REDIS_URL when more than one process serves HTTP: else every limit is multiplied by their number',
    );
  let reason = 'it does not respond';
  const logger: SharedStateLogger = {
    info: () => {},
    warn: (fields) => {
      if ('reason' in fields && typeof fields.reason === 'string') reason = fields.reason;
    },
    error: () => {},
  };
  const shared = await openConfiguredRedis(redis, logger, REDIS_ANSWER_MS);
  try {
    if (shared.state() !== 'ok') return wrong(`Redis is unavailable: ${reason}`, 'check REDIS_URL');
    await useEverything(shared);
    return fine('Redis answers and permits what Trapline needs: counted over all processes');
  } catch (error) {
    return wrong(
      error instanceof Error ? error.message : String(error),
      "check the rights of Trapline's account in Redis",
    );
  } finally {
    await shared.close();
  }
}

/**
 * Runs each Redis command that processes use, on separate keys, because an account may lack permission for some of
 * them.
 */
async function useEverything({ windows, blocks, cache, locks, channels }: SharedState): Promise<void> {
  const key = `doctor:${randomUUID()}`;
  const limit = { limit: 1, windowMs: 1_000 };
  await windows.take([{ key, ...limit }]);
  await windows.clear([key]);
  await blocks.countOrBlock({ key, ...limit }, 1_000);
  await blocks.remaining(key);
  await cache.set(key, '', 1_000);
  await cache.get(key);
  await cache.delete(key);
  await (await locks.acquire(key, 1_000))?.release();
  await channels.publish(key, '');
  await (await channels.subscribe(key, () => {}))();
}
