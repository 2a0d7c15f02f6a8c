import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { QuotaResource } from '#schemas/api/quotas.ts';
import { type ResourceUsage, readUsage, setUserQuotas } from '../tables/quotas.ts';
import { lockUser } from '../tables/user-administration.ts';

/** Quotas by resource: a number, null for unlimited, or `default` for the general default. */
export type QuotaChange = Readonly<Partial<Record<QuotaResource, number | null | 'default'>>>;

/**
 * Sets quotas of a user and writes an audit entry. Resolves to the usage and quotas of the user afterwards. Undefined
 * if there is no such user.
 */
export type ChangeQuota = (
  userId: string,
  change: QuotaChange,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<ResourceUsage[] | undefined>;

export function createQuotaChange({
  database,
  audit,
}: {
  readonly database: Database;
  readonly audit: Audit;
}): ChangeQuota {
  return (userId, change, { actor, origin }) =>
    inTransaction(database, async (transaction) => {
      if ((await lockUser(transaction, userId)) === undefined) return undefined;
      const before = await readUsage(transaction, userId);
      await setUserQuotas(transaction, userId, change);
      const after = await readUsage(transaction, userId);
      const changed = after.filter(({ quota, own }, at) => quota !== before[at]?.quota || own !== before[at]?.own);
      if (changed.length > 0) {
        const those = (usage: readonly ResourceUsage[]) =>
          usage
            .filter(({ resource }) => changed.some((one) => one.resource === resource))
            // The resource is a value, because the audit log would redact a field named `api_keys`.
            .map(({ resource, quota, own }) => ({ resource, quota: own ? (quota ?? 'unlimited') : 'default' }));
        const diff = { quotas: { before: those(before), after: those(after) } };
        await audit.record(transaction, { actor, target: `user:${userId}`, action: 'user.quota', diff, origin });
      }
      return after;
    });
}
