import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    keyUsage: KeyUsageTable;
  }
}

/** Number of requests with a key per day (UTC) and part of the API. */
export interface KeyUsageTable {
  keyId: string;
  day: Date;
  routeGroup: string;
  requests: number;
}

/** Requests to add to the stored counts. */
export interface CountedRequests {
  readonly keyId: string;
  /** Date such as `2026-01-02`, UTC. */
  readonly day: string;
  readonly routeGroup: string;
  readonly requests: number;
}

/** Retention of usage, in days. */
export const USAGE_DAYS = 90;

/** Adds requests. Keys that no longer exist are skipped. Concurrent writers lock rows in the same order. */
export async function addKeyUsage(db: Db, counted: readonly CountedRequests[]): Promise<void> {
  const column = <K extends keyof CountedRequests>(name: K) => counted.map((one) => one[name]);
  await sql`
    INSERT INTO key_usage (key_id, day, route_group, requests)
    SELECT one.* FROM unnest(${column('keyId')}::text[], ${column('day')}::date[], ${column('routeGroup')}::text[], ${column('requests')}::bigint[])
      AS one (key_id, day, route_group, requests)
    WHERE EXISTS (SELECT FROM api_keys WHERE api_keys.key_id = one.key_id)
    ORDER BY 1, 2, 3
    ON CONFLICT (key_id, day, route_group) DO UPDATE SET requests = key_usage.requests + excluded.requests`.execute(db);
}

/** Returns the usage of a key in the last `days` days, newest day first. */
export async function readKeyUsage(db: Db, keyId: string, days: number): Promise<readonly CountedRequests[]> {
  const { rows } = await sql<CountedRequests>`
    SELECT key_id, to_char(day, 'YYYY-MM-DD') AS day, route_group, requests FROM key_usage
    WHERE key_id = ${keyId} AND day > (now() AT TIME ZONE 'UTC')::date - ${days}::int
    ORDER BY key_usage.day DESC, route_group`.execute(db);
  return rows;
}

/** Deletes usage older than `USAGE_DAYS`. Resolves to the number of rows. */
export async function deleteOldKeyUsage(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM key_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - ${USAGE_DAYS}::int`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
