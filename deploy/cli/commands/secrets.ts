import { Argument, type Command } from 'commander';
import { recordSecret } from '#api/accounts/secrets/shared-secrets.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { existingSecret, SHARED_SECRETS, type SharedSecretName } from '../../platform-secrets.ts';
import { CommandError, usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

const LOST: Readonly<Record<SharedSecretName, string>> = {
  AUTH_SECRET:
    'secrets of workflows and outputs that were sealed under another value must be set again, authenticator apps enrolled again; codes that were mailed are invalid',
  JWT_SECRET: 'sessions that were signed with another value have ended',
};

export function registerSecrets(program: Command, context: CommandContext): void {
  program
    .command('secrets')
    .description('manage the secrets that all processes of a database share')
    .command('record')
    .description('register the secret of this configuration for the database when the previous one is lost')
    .addArgument(new Argument('<setting...>', 'which ones').choices(SHARED_SECRETS))
    .action(async (names: SharedSecretName[]) => {
      const config = await context.config();
      const { directUrl: url } = config.postgres;
      if (url === undefined) throw usageError('secrets are shared through a database: set DATABASE_URL');
      const secrets = await Promise.all(
        names.map(async (name) => {
          const values = await existingSecret(config, name);
          if (values === undefined) throw usageError(`${name} is not set`);
          return { name, values };
        }),
      );
      const database = createDatabase({ url, connections: 1 });
      try {
        await migrateDatabase(database);
        for (const secret of secrets) {
          await recordSecret(database, secret);
          context.note(`${secret.name} is recorded: restart all processes with it; ${LOST[secret.name]}`);
        }
      } catch (error) {
        if (isDatabaseUnavailable(error))
          throw new CommandError('PostgreSQL cannot be reached: check DATABASE_URL and the server');
        throw error;
      } finally {
        await database.destroy();
      }
    });
}
