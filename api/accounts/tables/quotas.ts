import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { QUOTA_RESOURCE_NAMES, type QuotaResource } from '#schemas/api/quotas.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    quotaDefaults: QuotaDefaultsTable;
    userQuotas: UserQuotasTable;
  }
}

/** Default quotas from the configuration, for users without individual ones. null: unlimited. */
export interface QuotaDefaultsTable {
  resource: string;
  quota: number | null;
  /** Default quota of administrators. */
  administratorQuota: number | null;
}

/** Quotas that an administrator set for a user. */
export interface UserQuotasTable {
  userId: string;
  resource: string;
  /** null: unlimited. */
  quota: number | null;
}

export type QuotaDefaults = Readonly<Record<QuotaResource, number | null>>;

/** Stores these defaults, which apply immediately. Every starting process writes its configuration; the last one wins. */
export async function setQuotaDefaults(
  db: Db,
  defaults: QuotaDefaults,
  { administratorsUnlimited }: { readonly administratorsUnlimited: boolean },
): Promise<void> {
  const quotas = QUOTA_RESOURCE_NAMES.map((resource) => defaults[resource]);
  const { rows: changed } = await sql<{ resource: string }>`
    INSERT INTO quota_defaults AS d (resource, quota, administrator_quota)
    SELECT resource, quota, CASE WHEN ${administratorsUnlimited}::boolean THEN NULL ELSE quota END
    FROM unnest(${[...QUOTA_RESOURCE_NAMES]}::text[], ${quotas}::bigint[]) AS given (resource, quota) ORDER BY resource
    ON CONFLICT (resource) DO UPDATE SET quota = excluded.quota, administrator_quota = excluded.administrator_quota
      WHERE (d.quota, d.administrator_quota) IS DISTINCT FROM (excluded.quota, excluded.administrator_quota)
    RETURNING resource`.execute(db);
  const counted = await sql<{ userId: string; resource: string }>`
    SELECT user_id, resource FROM user_usage WHERE shard = 0 AND resource = ANY (${changed.map(({ resource }) => resource)}::text[])`.execute(
    db,
  );
  for (const { userId, resource } of counted.rows) await settle(db, userId, resource);
}

export interface ResourceUsage {
  readonly resource: QuotaResource;
  readonly used: number;
  /** null: unlimited. */
  readonly quota: number | null;
  /** True if the quota was set for this user. */
  readonly own: boolean;
}

/** Returns the usage and the quota of each resource of a user. */
export async function readUsage(db: Db, userId: string): Promise<ResourceUsage[]> {
  const { rows } = await sql<ResourceUsage>`
    SELECT r.resource, quota_of(${userId}::uuid, r.resource) AS quota,
      EXISTS (SELECT FROM user_quotas WHERE user_id = ${userId}::uuid AND resource = r.resource) AS own,
      greatest(0,
        (SELECT coalesce(sum(used), 0) FROM user_usage WHERE user_id = ${userId}::uuid AND resource = r.resource) +
        (SELECT coalesce(sum(amount), 0) FROM usage_notes WHERE user_id = ${userId}::uuid AND resource = r.resource)
      )::bigint AS used
    FROM unnest(${[...QUOTA_RESOURCE_NAMES]}::text[]) WITH ORDINALITY AS r (resource, place) ORDER BY place`.execute(
    db,
  );
  return rows;
}

/** Sets quotas of a locked user: a number, null for unlimited, or `default` for the general default. */
export async function setUserQuotas(
  transaction: Db,
  userId: string,
  quotas: Readonly<Partial<Record<QuotaResource, number | null | 'default'>>>,
): Promise<void> {
  for (const [resource, quota] of Object.entries(quotas)) {
    if (quota === undefined) continue;
    if (quota === 'default')
      await transaction
        .deleteFrom('userQuotas')
        .where('userId', '=', userId)
        .where('resource', '=', resource)
        .execute();
    else
      await transaction
        .insertInto('userQuotas')
        .values({ userId, resource, quota })
        .onConflict((conflict) => conflict.columns(['userId', 'resource']).doUpdateSet({ quota }))
        .execute();
    await settle(transaction, userId, resource);
  }
}

const SETTLED_AT_ONCE = 100;

/**
 * Adds recorded usage to the totals, for up to a hundred users and resources, each in a separate transaction. Resolves
 * to their number.
 */
export async function settleUsage(db: Db): Promise<number> {
  const { rows } = await sql<{ userId: string; resource: string }>`
    SELECT DISTINCT user_id, resource FROM usage_notes LIMIT ${SETTLED_AT_ONCE}`.execute(db);
  for (const { userId, resource } of rows) await settle(db, userId, resource);
  return rows.length;
}

async function settle(db: Db, userId: string, resource: string): Promise<void> {
  await sql`SELECT settle_usage(${userId}::uuid, ${resource})`.execute(db);
}

/** The usage of a resource would exceed the quota of a user. */
export interface ExceededQuota {
  readonly resource: QuotaResource;
  readonly quota: number;
  readonly used: number;
}

/** Returns the quota that an insert exceeded. Undefined if it failed for another reason. */
export function exceededQuota(error: unknown): ExceededQuota | undefined {
  const { code, constraint, detail } = (error ?? {}) as { code?: unknown; constraint?: string; detail?: string };
  const resource = QUOTA_RESOURCE_NAMES.find((name) => name === constraint);
  if (code !== 'TQ001' || resource === undefined) return undefined;
  return { resource, ...(JSON.parse(detail ?? '{}') as { quota: number; used: number }) };
}

/** How to free capacity, besides a larger quota. Absent for resources that cannot be deleted. */
const REMEDIES: Readonly<Partial<Record<QuotaResource, string>>> = {
  storage_bytes: 'delete files of executions or examples',
  executions: 'wait until executions have ended, or cancel some',
  execution_bytes: 'wait until ended executions are deleted',
  events: 'wait until events are older than 24 hours',
};

/** Returns a message for people, with instructions. */
export function quotaMessage({ resource, quota, used }: ExceededQuota): string {
  const remedy = REMEDIES[resource];
  const todo = `${remedy === undefined ? '' : `${remedy}, or `}ask an administrator for a larger quota`;
  return `the quota of ${resource} is used up: ${used} of ${quota}; ${todo}`;
}
