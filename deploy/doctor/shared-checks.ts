import { compareSecret } from '#api/accounts/secrets/shared-secrets.ts';
import { findSecretFingerprint } from '#api/accounts/tables/secret-fingerprints.ts';
import type { Database } from '#api/postgres/database.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { pendingMigrations } from '#api/postgres/migrations/migrate.ts';
import type { Config } from '../config.ts';
import {
  configuredSecret,
  existingSecret,
  SHARED_SECRETS,
  type SharedSecretName,
  secretFileOf,
} from '../platform-secrets.ts';
import { secretDifference } from '../shared-secrets.ts';
import { type Check, type Finding, fine, look, wrong } from './check.ts';

/** What several processes with the same `DATABASE_URL` must have in common. */
export function sharedChecks(config: Config): Check[] {
  const { url } = config.postgres;
  if (url === undefined) return [];
  return [
    ...SHARED_SECRETS.map((name) => ({
      name,
      advice: 'look at DATABASE_URL',
      run: async () => {
        const database = createDatabase({ url, connections: 1, statementTimeoutMs: 5_000 });
        try {
          return await checkSecret(config, database, name);
        } finally {
          await database.destroy();
        }
      },
    })),
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

function setIt(name: SharedSecretName): string {
  return `set ${name} when more than one process uses this database: all must have the same one`;
}

function checkLimits({ redis }: Config): Finding {
  if (redis !== undefined) return fine('REDIS_URL is set: counted over all processes');
  return look(
    'REDIS_URL is not set: each process counts sign-ins and requests alone',
    'set REDIS_URL when more than one process serves HTTP: else every limit is multiplied by their number',
  );
}
