import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';

/**
 * Records in the audit log that a message of an identity provider was refused: a callback, a SAML message or a logout
 * token. The person is not identified, so the actor is anonymous.
 */
export function recordProviderRefusal(
  { database, audit }: { readonly database: Database; readonly audit: Audit },
  { provider, reason, origin }: { readonly provider: string; readonly reason: string; readonly origin: RequestOrigin },
): Promise<void> {
  return inTransaction(database, (transaction) =>
    audit.record(transaction, {
      actor: 'anonymous',
      target: `provider:${provider}`,
      action: 'oauth.reject',
      diff: { reason: { after: reason } },
      origin,
    }),
  );
}
