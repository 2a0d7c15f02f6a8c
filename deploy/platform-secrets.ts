import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { usageError } from './cli/command-error.ts';
import type { Config } from './config.ts';
import { dataDirectoryProblem } from './data-directory.ts';
import { ensureSecretFile } from './secret-file.ts';

/** Secrets with which the platform signs and hashes. The first of each signs; the others are still accepted. */
export interface PlatformSecrets {
  readonly auth: readonly [string, ...string[]];
  readonly jwt: readonly [string, ...string[]];
}

/** Settings that all processes of one database must share. */
export const SHARED_SECRETS = ['AUTH_SECRET', 'JWT_SECRET'] as const;
export type SharedSecretName = (typeof SHARED_SECRETS)[number];

const FILES: Readonly<Record<SharedSecretName, string>> = { AUTH_SECRET: 'auth.secret', JWT_SECRET: 'jwt.secret' };

/**
 * Returns the configured secrets. A missing one is generated at the first start and stored in the data directory.
 * Rejects with a usage error if it cannot be stored there.
 */
export async function platformSecrets(config: Config): Promise<PlatformSecrets> {
  return { auth: await valuesOf(config, 'AUTH_SECRET'), jwt: await valuesOf(config, 'JWT_SECRET') };
}

export function configuredSecret({ platform }: Config, name: SharedSecretName) {
  return name === 'AUTH_SECRET' ? platform.authSecrets : platform.jwtSecrets;
}

/** Returns the file in the data directory that stores the secret if it is not configured. */
export function secretFileOf({ dataDir }: Config, name: SharedSecretName): string {
  return resolve(join(dataDir, FILES[name]));
}

/** Returns the configured values, or the one in the data directory. Generates nothing. */
export async function existingSecret(
  config: Config,
  name: SharedSecretName,
): Promise<readonly [string, ...string[]] | undefined> {
  const configured = configuredSecret(config, name);
  if (configured !== undefined) return configured;
  try {
    return [(await readFile(secretFileOf(config, name), 'utf8')).trim()];
  } catch (error) {
    // ENOTDIR: the data directory is a file.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

async function valuesOf(config: Config, name: SharedSecretName): Promise<readonly [string, ...string[]]> {
  const configured = configuredSecret(config, name);
  if (configured !== undefined) return configured;
  const problem = await dataDirectoryProblem(config.dataDir);
  if (problem === undefined) return [await ensureSecretFile(secretFileOf(config, name), generateSecret)];
  const existing = await existingSecret(config, name);
  if (existing !== undefined) return existing;
  throw usageError(
    `${name} is not set, and ${problem}, where a generated one is kept: set ${name}, or set TRAPLINE_DATA_DIR to a folder that this user may write to`,
  );
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}
