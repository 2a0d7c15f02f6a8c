import type { ClickHouse } from '../client.ts';
import { apiRequestsTable } from '../tables/api-requests.ts';
import { type Buckets, bucketOf, DASHBOARD_SETTINGS, fillBuckets, within } from './buckets.ts';

const HOUR_MS = 3_600_000;

export interface HourOfUser {
  /** Start of the hour, epoch milliseconds. */
  readonly atMs: number;
  readonly requests: number;
  /** Number of responses with status 400 or above. */
  readonly errors: number;
}

/**
 * Returns a user's requests in the last 24 hours by clock hour, the current hour last. Sessions and keys are counted
 * together.
 */
export async function requestsOfUser(clickhouse: ClickHouse, userId: string, nowMs: number): Promise<HourOfUser[]> {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const buckets: Buckets = { fromMs: toMs - 24 * HOUR_MS, toMs, stepSeconds: 3_600 };
  const { sql, params } = within('time', buckets);
  const rows = await clickhouse.rows<{ at: string; requests: string; errors: string }>(
    'count requests of a user',
    `SELECT ${bucketOf('time')} AS at, count() AS requests, countIf(status >= 400) AS errors
     FROM ${clickhouse.table(apiRequestsTable.name)}
     WHERE toStartOfHour(time) >= fromUnixTimestamp64Milli({bucket_from:Int64}, 'UTC') AND user_id = {user:String} AND ${sql}
     GROUP BY at`,
    { params: { ...params, user: userId }, settings: DASHBOARD_SETTINGS },
  );
  const found = new Map(rows.map(({ at, requests, errors }) => [Number(at), hour(Number(at), requests, errors)]));
  return fillBuckets(buckets, found, (at) => hour(at, '0', '0'));
}

function hour(atMs: number, requests: string, errors: string): HourOfUser {
  return { atMs, requests: Number(requests), errors: Number(errors) };
}

export interface RequestsInBucket {
  readonly atMs: number;
  readonly requests: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  /** Number of different addresses. */
  readonly addresses: number;
  /** Null if there were no requests. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** Returns the numbers of all requests over time. */
export async function requestsOverTime(clickhouse: ClickHouse, buckets: Buckets): Promise<RequestsInBucket[]> {
  const { sql, params } = within('time', buckets);
  const rows = await clickhouse.rows<{ at: string; counts: string[]; millis: number[] }>(
    'count requests over time',
    `SELECT ${bucketOf('time')} AS at,
       [count(), countIf(status >= 400 AND status < 500), countIf(status >= 500), uniq(ip)] AS counts,
       arrayMap(q -> q / 1000, quantiles(0.5, 0.95, 0.99)(duration_us)) AS millis
     FROM ${clickhouse.table(apiRequestsTable.name)}
     WHERE ${hours} AND ${sql} GROUP BY at`,
    { params, settings: DASHBOARD_SETTINGS },
  );
  const found = new Map(
    rows.map(({ at, counts, millis }) => {
      const [requests = 0, clientErrors = 0, serverErrors = 0, addresses = 0] = counts.map(Number);
      const [p50Ms = null, p95Ms = null, p99Ms = null] = millis;
      const atMs = Number(at);
      return [atMs, { atMs, requests, clientErrors, serverErrors, addresses, p50Ms, p95Ms, p99Ms }];
    }),
  );
  return fillBuckets<RequestsInBucket>(buckets, found, (atMs) => ({
    atMs,
    requests: 0,
    clientErrors: 0,
    serverErrors: 0,
    addresses: 0,
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
  }));
}

export interface RouteStatistics {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
  readonly errors: number;
  readonly p95Ms: number;
}

/** Returns the routes with the most requests. */
export async function busiestRoutes(
  clickhouse: ClickHouse,
  buckets: Buckets,
  limit: number,
): Promise<RouteStatistics[]> {
  const { sql, params } = within('time', buckets);
  const rows = await clickhouse.rows<{
    method: string;
    route: string;
    requests: string;
    errors: string;
    p95Ms: number;
  }>(
    'rank routes',
    `SELECT method, route, count() AS requests, countIf(status >= 400) AS errors, quantile(0.95)(duration_us) / 1000 AS p95Ms
     FROM ${clickhouse.table(apiRequestsTable.name)}
     WHERE ${hours} AND ${sql} GROUP BY method, route ORDER BY requests DESC, route, method LIMIT {limit:UInt64}`,
    { params: { ...params, limit }, settings: DASHBOARD_SETTINGS },
  );
  return rows.map((row) => ({ ...row, requests: Number(row.requests), errors: Number(row.errors) }));
}

export interface AddressStatistics {
  readonly ip: string;
  readonly requests: number;
  readonly errors: number;
  /** Number of requests rejected because of a limit. */
  readonly limited: number;
  /** Number of different users at this address. */
  readonly users: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Returns the addresses with the most requests. */
export async function busiestAddresses(
  clickhouse: ClickHouse,
  buckets: Buckets,
  limit: number,
): Promise<AddressStatistics[]> {
  const { sql, params } = within('time', buckets);
  const rows = await clickhouse.rows<{ ip: string; counts: string[] }>(
    'rank addresses',
    `SELECT ip, [count(), countIf(status >= 400), countIf(status = 429), uniqIf(user_id, user_id != ''),
       toUInt64(toUnixTimestamp64Milli(min(time))), toUInt64(toUnixTimestamp64Milli(max(time)))] AS counts
     FROM ${clickhouse.table(apiRequestsTable.name)}
     WHERE ${hours} AND ${sql} GROUP BY ip ORDER BY counts[1] DESC, ip LIMIT {limit:UInt64}`,
    { params: { ...params, limit }, settings: DASHBOARD_SETTINGS },
  );
  return rows.map(({ ip, counts }) => {
    const [requests = 0, errors = 0, limited = 0, users = 0, firstMs = 0, lastMs = 0] = counts.map(Number);
    return { ip, requests, errors, limited, users, firstMs, lastMs };
  });
}

/** Redundant with the time range, but lets the primary key skip all other hours. */
const hours = `toStartOfHour(time) >= toStartOfHour(fromUnixTimestamp64Milli({bucket_from:Int64}, 'UTC'))
  AND toStartOfHour(time) <= fromUnixTimestamp64Milli({bucket_to:Int64}, 'UTC')`;
