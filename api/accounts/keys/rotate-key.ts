import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { findChangeableKey, replaceKeySecret, updateKeyRestrictions } from '../tables/api-keys.ts';
import { expiryOf } from './expiry-policy.ts';
import type { KeyChanges } from './key-changes.ts';
import { KEY_ID, keyText, newSecret } from './key-format.ts';

/** Identifies the key and the actor of a change. */
export interface KeyChanged {
  readonly keyId: string;
  /** Owner of the key. A key of another user is not found. Undefined for an administrator, who may change any key. */
  readonly ownerId: string | undefined;
  readonly actor: string;
  readonly origin: RequestOrigin;
}

export interface Rotation extends KeyChanged {
  /** How long the replaced secret stays valid, seconds. */
  readonly overlapSeconds: number;
  /** If omitted, the expiry stays, or follows the policy. */
  readonly expiresAt?: Date | undefined;
}

export interface RotatedKey {
  /** `<keyId>.<secret>` with the new secret. */
  readonly apiKey: string;
  readonly keyId: string;
  readonly previousUntil: Date;
  readonly expiresAt: Date | null;
}

/**
 * Gives a key a new secret. The previous secret stays valid for the overlap time, so that clients can be changed one by
 * one. An earlier secret that is still in its overlap ends immediately.
 */
export type RotateKey = (rotation: Rotation) => Promise<RotatedKey>;

/** Changeable fields of a key. Undefined fields stay as they are; null removes a limit. */
export interface KeyUpdate {
  readonly label?: string | undefined;
  readonly networks?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly requestsPerMinute?: number | null | undefined;
  readonly requestsPerDay?: number | null | undefined;
}
export type UpdateKey = (key: KeyChanged, update: KeyUpdate) => Promise<void>;

export interface KeyChangeDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly changes: Pick<KeyChanges, 'announce'>;
}

/** Creates the functions that rotate and change keys. Refusals are `ApiError`s. Rejects with `HasherBusy`. */
export function createKeyUpdates(
  { database, audit, hasher, changes }: KeyChangeDeps,
  { maxDays }: { readonly maxDays: number | null },
): { readonly rotateKey: RotateKey; readonly updateKey: UpdateKey } {
  const missing = () => apiError('not_found', 'there is no such key');

  const rotateKey: RotateKey = async ({ keyId, ownerId, actor, origin, overlapSeconds, expiresAt: wanted }) => {
    if (!KEY_ID.test(keyId)) throw missing();
    const secret = newSecret(keyId);
    const secretHash = await hasher.hash(secret);
    const rotated = await inTransaction(database, async (transaction) => {
      const key = await findChangeableKey(transaction, keyId, ownerId);
      if (key === undefined) throw missing();
      if (!key.active) throw apiError('conflict', 'the key is revoked or has expired: create another one');
      const expiry = expiryOf(wanted, Date.now(), maxDays);
      if (expiry.kind === 'too-late')
        throw apiError('invalid_value', `must be ${expiry.latest.toISOString()} at the latest`, 'expiresAt');
      if (wanted !== undefined && wanted.getTime() <= Date.now())
        throw apiError('invalid_value', 'must be in the future', 'expiresAt');
      const expiresAt = expiry.expiresAt ?? key.expiresAt;
      const previousUntil = await replaceKeySecret(transaction, keyId, { secretHash, overlapSeconds, expiresAt });
      await audit.record(transaction, {
        actor,
        target: `key:${keyId}`,
        action: 'key.rotate',
        diff: {
          owner: { before: `user:${key.userId}`, after: `user:${key.userId}` },
          label: { before: key.label, after: key.label },
          overlapSeconds: { after: overlapSeconds },
          expiresAt: { before: key.expiresAt?.toISOString() ?? null, after: expiresAt?.toISOString() ?? null },
        },
        origin,
      });
      return { previousUntil, expiresAt };
    });
    await changes.announce({ keyId });
    return { apiKey: keyText({ keyId, secret }), keyId, ...rotated };
  };

  const updateKey: UpdateKey = async ({ keyId, ownerId, actor, origin }, update) => {
    await inTransaction(database, async (transaction) => {
      const before = await findChangeableKey(transaction, keyId, ownerId);
      if (before === undefined) throw missing();
      const changed = Object.entries(update).filter(
        ([name, value]) =>
          value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name as keyof KeyUpdate]),
      );
      if (changed.length === 0) return;
      await updateKeyRestrictions(transaction, keyId, Object.fromEntries(changed));
      await audit.record(transaction, {
        actor,
        target: `key:${keyId}`,
        action: 'key.update',
        diff: {
          owner: { before: `user:${before.userId}`, after: `user:${before.userId}` },
          ...Object.fromEntries(
            changed.map(([name, value]) => [name, { before: before[name as keyof KeyUpdate], after: value }]),
          ),
        },
        origin,
      });
    });
    await changes.announce({ keyId });
  };

  return { rotateKey, updateKey };
}
