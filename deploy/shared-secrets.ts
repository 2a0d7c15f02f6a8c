import { agreeOnSecret } from '#api/accounts/secrets/shared-secrets.ts';
import type { Database } from '#api/postgres/database.ts';
import { usageError } from './cli/command-error.ts';
import type { Config } from './config.ts';
import { configuredSecret, type PlatformSecrets, type SharedSecretName, secretFileOf } from './platform-secrets.ts';

/**
 * Rejects with a usage error that names each secret that differs from the one of other processes with the same
 * `DATABASE_URL`. With different secrets, a process would reject their sessions and codes, and could not decrypt their
 * values.
 */
export async function requireSharedSecrets(
  config: Config,
  database: Database,
  { auth, jwt }: PlatformSecrets,
): Promise<void> {
  const secrets = [
    { name: 'AUTH_SECRET', values: auth },
    { name: 'JWT_SECRET', values: jwt },
  ] as const;
  const differences: string[] = [];
  for (const secret of secrets)
    if (!(await agreeOnSecret(database, secret))) differences.push(secretDifference(config, secret.name));
  if (differences.length > 0)
    throw usageError(
      `the processes of a database must share their secrets\n${differences.map((line) => `  ${line}`).join('\n')}`,
    );
}

/** Describes the difference and the remedy, without a value. */
export function secretDifference(config: Config, name: SharedSecretName): string {
  const remedies = `if that one is lost, run \`trapline secrets record ${name}\``;
  return configuredSecret(config, name) === undefined
    ? `${name} is not set, and ${secretFileOf(config, name)} differs from the one that this database was first used with: ` +
        `set ${name} to the value of the other processes (without a setting, it is in the same file of their data directory); ${remedies}`
    : `${name} differs from the one that this database was first used with: set the same value in every process; ` +
        `to replace it, list the new value and then the old one, joined by a comma; ${remedies}`;
}
