import type { RevokeKey } from '#api/accounts/keys/revoke-key.ts';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { deleteDetector, findDetectorKey } from './tables/detectors.ts';

/**
 * Revokes the key of an enrolled host and removes the host from the list. False if it is not enrolled. The host can be
 * enrolled again.
 */
export type RevokeDetector = (
  hostname: string,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<boolean>;

/** Revokes the key first: if a later step fails, the listed host has an invalid key, and the call can be repeated. */
export function createDetectorRevocation(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly revokeKey: RevokeKey;
}): RevokeDetector {
  const { database, audit, revokeKey } = deps;
  return async (hostname, { actor, origin }) => {
    const keyId = await findDetectorKey(database, hostname);
    if (keyId === undefined) return false;
    await revokeKey({ keyId, actor, origin });
    return inTransaction(database, async (transaction) => {
      // A host that was enrolled again in the meantime has another key.
      if (!(await deleteDetector(transaction, hostname, keyId))) return false;
      await audit.record(transaction, {
        actor,
        target: `detector:${hostname}`,
        action: 'detector.revoke',
        diff: { keyId: { before: keyId, after: null } },
        origin,
      });
      return true;
    });
  };
}
