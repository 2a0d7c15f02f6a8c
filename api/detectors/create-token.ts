import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { DetectorTokenBody } from '#schemas/api/detectors.ts';
import { insertDetectorToken } from './tables/detector-tokens.ts';
import { detectorTokenHash, newDetectorToken } from './token.ts';

export interface WantedToken {
  /** The administrator who creates it. Null: the operator. */
  readonly ownerId: string | null;
  readonly hostname: string | null;
  readonly minutes: number;
}

/** Creates a one-time token for a host. */
export type CreateDetectorToken = (
  wanted: WantedToken,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<DetectorTokenBody>;

/** Creates tokens. The token and its audit entry are written in one transaction. */
export function createDetectorTokens(deps: {
  readonly database: Database;
  readonly audit: Audit;
}): CreateDetectorToken {
  return ({ ownerId, hostname, minutes }, { actor, origin }) =>
    inTransaction(deps.database, async (transaction) => {
      const token = newDetectorToken();
      const row = { tokenHash: detectorTokenHash(token), ownerId, hostname, createdBy: actor };
      const { id, expiresAt } = await insertDetectorToken(transaction, row, minutes);
      await deps.audit.record(transaction, {
        actor,
        target: `detector-token:${id}`,
        action: 'detector-token.create',
        diff: { hostname: { after: hostname }, expiresAt: { after: expiresAt.toISOString() } },
        origin,
      });
      return { id, token, expiresAt: expiresAt.toISOString() };
    });
}
