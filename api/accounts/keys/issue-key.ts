import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { CreatedApiKey, CreateKey, NewApiKey, PrepareKey } from './create-key.ts';

/** Creates a key and its audit entry in one transaction. Rejects with `KeyRefused`, or with `HasherBusy`. */
export type IssueKey = (
  wanted: NewApiKey,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<CreatedApiKey>;

export function createKeyIssue(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly prepareKey: PrepareKey;
  readonly createKey: CreateKey;
}): IssueKey {
  const { database, audit, prepareKey, createKey } = deps;
  return async (wanted, { actor, origin }) => {
    const prepared = await prepareKey();
    return inTransaction(database, async (transaction) => {
      const created = await createKey(transaction, wanted, prepared);
      await audit.record(transaction, {
        actor,
        target: `key:${created.keyId}`,
        action: 'key.create',
        diff: {
          owner: { after: `user:${wanted.userId}` },
          label: { after: wanted.label },
          scopes: { after: created.scopes },
          expiresAt: { after: created.expiresAt?.toISOString() ?? null },
          ...(wanted.networks === undefined ? {} : { networks: { after: wanted.networks } }),
          ...(wanted.resources === undefined ? {} : { resources: { after: wanted.resources } }),
          ...(wanted.requestsPerMinute === undefined ? {} : { requestsPerMinute: { after: wanted.requestsPerMinute } }),
          ...(wanted.requestsPerDay === undefined ? {} : { requestsPerDay: { after: wanted.requestsPerDay } }),
        },
        origin,
      });
      return created;
    });
  };
}
