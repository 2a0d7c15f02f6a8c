import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { compareSecret, recordSecret } from '#api/accounts/secrets/shared-secrets.ts';
import { createAudit } from '#api/audit/audit.ts';
import { reseal } from '#api/executions/secrets/reseal.ts';
import type { Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import type { Config } from '../../config.ts';
import { counted } from '../../counted.ts';
import { existingSecret, SHARED_SECRETS, type SharedSecretName } from '../../platform-secrets.ts';
import { SEALED_COLUMNS } from '../../sealed-columns.ts';
import { secretDifference } from '../../shared-secrets.ts';
import { CommandError, usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { withDatabase } from '../with-database.ts';

const LOST: Readonly<Record<SharedSecretName, string>> = {
  AUTH_SECRET:
    'secrets of workflows and outputs that were sealed under another value must be set again, authenticator apps enrolled again; codes that were mailed are invalid',
  JWT_SECRET: 'sessions that were signed with another value have ended',
};

export function registerSecrets(program: Command, context: CommandContext): void {
  const group = program.command('secrets').description('manage the secrets that all processes of a database share');

  group
    .command('record')
    .description('register the secret of this configuration for the database when the previous one is lost')
    .addArgument(new Argument('<setting...>', 'which ones').choices(SHARED_SECRETS))
    .action(async (names: SharedSecretName[]) => {
      const config = await context.config();
      const { directUrl: url } = config.postgres;
      if (url === undefined) throw usageError('secrets are shared through a database: set DATABASE_URL');
      const secrets = await Promise.all(
        names.map(async (name) => ({ name, values: await configuredValues(config, name) })),
      );
      await withMigrated(url, async (database) => {
        for (const secret of secrets) {
          await recordSecret(database, secret);
          context.note(`${secret.name} is recorded: restart all processes with it; ${LOST[secret.name]}`);
        }
      });
    });

  group
    .command('reseal')
    .description(
      'encrypt with the first value of AUTH_SECRET what an older one encrypted, before you remove the old one',
    )
    .action(async () => {
      const config = await context.config();
      const values = await configuredValues(config, 'AUTH_SECRET');
      const results = await withMigrated(await databaseUrl(config), async (database) => {
        await requireRecorded(config, database, values);
        return reseal({ database, audit: createAudit() }, SEALED_COLUMNS, values);
      });
      for (const { values: name, resealed } of results) await context.write(`${name}: ${resealed} encrypted again\n`);
      const unreadable = results.filter((one) => one.unreadable.length > 0);
      for (const one of unreadable)
        context.note(
          `${one.values}: ${counted(one.unreadableCount, 'value')} cannot be decrypted by AUTH_SECRET: list the value that encrypted them, or set them again: ${one.unreadable.join(', ')}`,
        );
      if (unreadable.length > 0) context.setExitCode(1);
    });
}

async function configuredValues(config: Config, name: SharedSecretName): Promise<readonly [string, ...string[]]> {
  const values = await existingSecret(config, name);
  if (values === undefined) throw usageError(`${name} is not set`);
  return values;
}

/** Returns the URL of the configured PostgreSQL, or of the running embedded one. */
async function databaseUrl(config: Config): Promise<string> {
  const { runningPostgresUrl } = await import('../../engines/postgres.ts');
  const url = config.postgres.directUrl ?? (await runningPostgresUrl(join(config.dataDir, 'postgres')));
  if (url !== undefined) return url;
  throw usageError('the embedded PostgreSQL does not run: start the service first, or set DATABASE_URL');
}

/** Rejects unless the processes of the database encrypt with the first value. */
async function requireRecorded(
  config: Config,
  database: Database,
  values: readonly [string, ...string[]],
): Promise<void> {
  const found = await compareSecret(database, { name: 'AUTH_SECRET', values });
  if (found === 'different') throw usageError(secretDifference(config, 'AUTH_SECRET'));
  if (found === 'older')
    throw new CommandError(
      'no process uses the first value of AUTH_SECRET yet: restart all processes with the new value first in the list, then run this again',
    );
}

/** Runs `work` with a migrated database. */
function withMigrated<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(url, async (database) => {
    await migrateDatabase(database);
    return work(database);
  });
}
