import type { CreateHostKey, PrepareKey } from '#api/accounts/keys/create-key.ts';
import type { RevokeKey } from '#api/accounts/keys/revoke-key.ts';
import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { EnrolledBody, EnrolmentBody } from '#schemas/api/detectors.ts';
import { claimDetectorToken, isDetectorTokenValid } from './tables/detector-tokens.ts';
import { findDetectorKey, putDetector } from './tables/detectors.ts';
import { detectorTokenHash } from './token.ts';

/**
 * Exchanges a one-time token for a key with the scope `events:write`, which belongs to the host and to no user. A token
 * without a host enrols only new hosts, so that a stolen token cannot replace an enrolled host. With a token for this
 * host, its previous key is revoked.
 */
export type EnrolDetector = (enrolment: EnrolmentBody, origin: RequestOrigin) => Promise<EnrolledBody>;

/** Creates the enrolment. Token, key, detector and audit entry change in one transaction. */
export function createDetectorEnrolment(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly prepareKey: PrepareKey;
  readonly createHostKey: CreateHostKey;
  readonly revokeKey: RevokeKey;
}): EnrolDetector {
  const { database, audit, prepareKey, createHostKey, revokeKey } = deps;
  return async ({ token, hostname, version }, origin) => {
    const tokenHash = detectorTokenHash(token);
    // Checked first, so that requests with invalid tokens cost no slow hash.
    if (!(await isDetectorTokenValid(database, tokenHash))) throw refusedToken();
    const prepared = await prepareKey();
    const { apiKey, keyId, replaced, actor } = await inTransaction(database, async (transaction) => {
      const claimed = await claimDetectorToken(transaction, tokenHash, hostname);
      if (claimed === undefined) throw refusedToken();
      const previous = await findDetectorKey(transaction, hostname);
      if (previous !== undefined && claimed.hostname === null)
        throw apiError('conflict', 'this host is enrolled: use a token that was created for it', 'hostname');
      const created = await createHostKey(transaction, hostname, prepared);
      await putDetector(transaction, { hostname, keyId: created.keyId, version: version ?? null });
      const by = `detector-token:${claimed.id}`;
      await audit.record(transaction, {
        actor: by,
        target: `detector:${hostname}`,
        action: 'detector.enrol',
        diff: { keyId: { before: previous ?? null, after: created.keyId } },
        origin,
      });
      return { ...created, replaced: previous, actor: by };
    });
    if (replaced !== undefined) await revokeKey({ keyId: replaced, actor, origin });
    return { hostname, keyId, apiKey };
  };
}

function refusedToken(): Error {
  return apiError('unauthorized', 'the token is unknown, expired, used or for another host', 'token');
}
