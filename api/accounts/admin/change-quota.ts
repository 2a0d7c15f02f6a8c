import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { QuotaResource } from '#schemas/api/quotas.ts';
import { type ResourceUsage, readUsage, setUserQuotas } from '../tables/quotas.ts';
import { lockUser } from '../tables/user-administration.ts';

/** By resource: a number, null for unlimited, `default` for what everyone has. */
export type QuotaChange = Readonly<Partial<Record<QuotaResource, number | null | 'default'>>>;

/** Sets quotas of a user and records it. Resolves to what the user has and may have then; undefined: there is no such user. */
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
            // By value: a resource such as api_keys as a name would be taken for a secret.
            .map(({ resource, quota, own }) => ({ resource, quota: own ? (quota ?? 'unlimited') : 'default' }));
        const diff = { quotas: { before: those(before), after: those(after) } };
        await audit.record(transaction, { actor, target: `user:${userId}`, action: 'user.quota', diff, origin });
      }
      return after;
    });
}
