import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { setApiKeyRevoked } from '../tables/api-keys.ts';
import type { KeyChanges } from './key-changes.ts';
import { KEY_ID } from './key-format.ts';

export interface Revocation {
  readonly keyId: string;
  /** Revokes the key only if it belongs to this user. Undefined: any owner. */
  readonly ownerId?: string | undefined;
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}

/**
 * Revokes a key permanently. Resolves to false if it does not exist or has another owner. This process rejects it
 * immediately, every other process within a second. Revoking a revoked key changes and records nothing.
 */
export type RevokeKey = (revocation: Revocation) => Promise<boolean>;

export function createKeyRevocation(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly changes: Pick<KeyChanges, 'announce'>;
}): RevokeKey {
  const { database, audit, changes } = deps;
  return async ({ keyId, ownerId, actor, origin }) => {
    if (!KEY_ID.test(keyId)) return false;
    const found = await inTransaction(database, async (transaction) => {
      const key = await setApiKeyRevoked(transaction, keyId, ownerId);
      if (key !== undefined && key.before === null) {
        await audit.record(transaction, {
          actor,
          target: `key:${keyId}`,
          action: 'key.revoke',
          diff: {
            owner: { before: ownerOf(key), after: ownerOf(key) },
            label: { before: key.label, after: key.label },
            revoked: { before: false, after: true },
          },
          origin,
        });
      }
      return key !== undefined;
    });
    if (found) await changes.announce({ keyId });
    return found;
  };
}

function ownerOf({ userId, hostname }: { readonly userId: string | null; readonly hostname: string | null }): string {
  return userId === null ? `detector:${hostname}` : `user:${userId}`;
}
