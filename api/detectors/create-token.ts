import { findKeyOwner } from '#api/accounts/tables/api-keys.ts';
import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { DetectorTokenBody } from '#schemas/api/detectors.ts';
import { scopesOfRole } from '#schemas/api/roles.ts';
import { insertDetectorToken } from './tables/detector-tokens.ts';
import { detectorTokenHash, newDetectorToken } from './token.ts';

export interface WantedToken {
  /** The user that the key of the host will belong to. */
  readonly ownerId: string;
  readonly hostname: string | null;
  readonly minutes: number;
}

/** Creates a one-time token for a host. Rejects with `ApiError` when the owner may not send events. */
export type CreateDetectorToken = (
  wanted: WantedToken,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<DetectorTokenBody>;

/** Makes tokens; the token and its audit entry are written in one transaction. */
export function createDetectorTokens(deps: {
  readonly database: Database;
  readonly audit: Audit;
}): CreateDetectorToken {
  return ({ ownerId, hostname, minutes }, { actor, origin }) =>
    inTransaction(deps.database, async (transaction) => {
      const owner = await findKeyOwner(transaction, ownerId, null);
      if (owner === undefined) throw apiError('not_found', 'there is no such user');
      if (!scopesOfRole(owner.role).includes('events:write'))
        throw apiError('invalid_value', `the role ${owner.role} does not allow events:write`, 'userId');
      const token = newDetectorToken();
      const row = { tokenHash: detectorTokenHash(token), ownerId, hostname, createdBy: actor };
      const { id, expiresAt } = await insertDetectorToken(transaction, row, minutes);
      await deps.audit.record(transaction, {
        actor,
        target: `detector-token:${id}`,
        action: 'detector-token.create',
        diff: {
          owner: { after: `user:${ownerId}` },
          hostname: { after: hostname },
          expiresAt: { after: expiresAt.toISOString() },
        },
        origin,
      });
      return { id, token, expiresAt: expiresAt.toISOString() };
    });
}
