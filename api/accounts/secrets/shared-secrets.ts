import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import {
  findSecretFingerprint,
  insertSecretFingerprint,
  lockSecretFingerprint,
  replaceSecretFingerprint,
} from '../tables/secret-fingerprints.ts';
import { fingerprintOf, indexOfSecret } from './fingerprint.ts';

/** The values of a setting, the newest first: the first one signs and seals, the others are still accepted. */
export interface SharedSecret {
  /** The setting, such as AUTH_SECRET. */
  readonly name: string;
  readonly values: readonly [string, ...string[]];
}

/** `unrecorded`: no process has used the database with this setting yet. `older`: a value after the first one is the recorded one. */
export type SecretComparison = 'unrecorded' | 'current' | 'older' | 'different';

/** Compares the values with the one that the database was last used with. Changes nothing. */
export async function compareSecret(database: Database, { name, values }: SharedSecret): Promise<SecretComparison> {
  const recorded = await findSecretFingerprint(database, name);
  if (recorded === undefined) return 'unrecorded';
  return comparisonOf(await indexOfSecret(values, recorded));
}

/**
 * Makes sure that all processes of the database share the secret: the first process records its fingerprint. Resolves to false when none of
 * the values has the recorded fingerprint. When an older value has it, the secret is being rotated: the first value becomes the recorded one.
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

/** Records the first value, whatever was recorded before. What the previous secret signed and sealed is lost to processes without it. */
export async function recordSecret(database: Database, { name, values }: SharedSecret): Promise<void> {
  await replaceSecretFingerprint(database, await fingerprintOf(name, values[0]));
}

function comparisonOf(index: number): SecretComparison {
  if (index < 0) return 'different';
  return index === 0 ? 'current' : 'older';
}
