import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import {
  findSecretFingerprint,
  insertSecretFingerprint,
  lockSecretFingerprint,
  replaceSecretFingerprint,
} from '../tables/secret-fingerprints.ts';
import { fingerprintOf, indexOfSecret } from './fingerprint.ts';

/** The values of a setting, newest first. The first value signs and seals; all values are accepted. */
export interface SharedSecret {
  /** The setting, such as AUTH_SECRET. */
  readonly name: string;
  readonly values: readonly [string, ...string[]];
}

/**
 * Result of a comparison with the recorded value. `unrecorded`: no process has used the database with this setting.
 * `older`: the recorded value is one after the first.
 */
export type SecretComparison = 'unrecorded' | 'current' | 'older' | 'different';

/** Compares the values with the one that last used the database. Read-only. */
export async function compareSecret(database: Database, { name, values }: SharedSecret): Promise<SecretComparison> {
  const recorded = await findSecretFingerprint(database, name);
  if (recorded === undefined) return 'unrecorded';
  return comparisonOf(await indexOfSecret(values, recorded));
}

/**
 * Ensures that all processes of the database share the secret. The first process records its fingerprint. Resolves to
 * false if none of the values has the recorded fingerprint. If an older value has it, the secret is being rotated, and
 * the first value is recorded.
 */
export async function agreeOnSecret(database: Database, secret: SharedSecret): Promise<boolean> {
  const { name, values } = secret;
  const comparison = await compareSecret(database, secret);
  if (comparison === 'current') return true;
  if (comparison === 'different') return false;
  const fresh = await fingerprintOf(name, values[0]);
  return inTransaction(database, async (transaction) => {
    if (await insertSecretFingerprint(transaction, fresh)) return true;
    const recorded = await lockSecretFingerprint(transaction, name);
    const index = recorded === undefined ? -1 : await indexOfSecret(values, recorded);
    if (index > 0) await replaceSecretFingerprint(transaction, fresh);
    return index >= 0;
  });
}

/**
 * Records the first value and replaces the recorded one. Processes without the previous secret can no longer verify or
 * decrypt what it signed or sealed.
 */
export async function recordSecret(database: Database, { name, values }: SharedSecret): Promise<void> {
  await replaceSecretFingerprint(database, await fingerprintOf(name, values[0]));
}

function comparisonOf(index: number): SecretComparison {
  if (index < 0) return 'different';
  return index === 0 ? 'current' : 'older';
}
