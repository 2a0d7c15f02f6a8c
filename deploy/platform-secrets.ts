import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { ensureSecretFile } from './secret-file.ts';

/** What the platform signs and hashes with: the first of each signs, the others are still believed. */
export interface PlatformSecrets {
  readonly auth: readonly [string, ...string[]];
  readonly jwt: readonly [string, ...string[]];
}

/** Those of the configuration; on one machine those it does not name are made at the first start and kept in the data directory. */
export async function platformSecrets({ dataDir, platform }: Config): Promise<PlatformSecrets> {
  const kept = async (name: string) =>
    [await ensureSecretFile(join(dataDir, name), () => randomBytes(32).toString('base64url'))] as const;
  return {
    auth: platform.authSecrets ?? (await kept('auth.secret')),
    jwt: platform.jwtSecrets ?? (await kept('jwt.secret')),
  };
}
