import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface ApiRequestRow {
  /** Time at which the response ended. Epoch milliseconds. */
  readonly timeMs: number;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly durationUs: number;
  readonly ip: string;
  readonly userAgent: string;
  readonly actor: string;
  readonly userId: string;
  readonly keyId: string;
  readonly bytes: number;
  readonly scraper: string | null;
  readonly cache: string | null;
  readonly process: string;
}
type Row = ApiRequestRow;

/**
 * One row per request to the API. Sorted so that a caller's requests are adjacent by hour, and so are all requests of
 * an hour. The time comes from Trapline's own clock, so it may be the partition key.
 */
export const apiRequestsTable: Table<Row> = {
  name: 'api_requests',
  withoutQuorum: true,
  columns: [
    column('time', milliseconds, (r: Row) => r.timeMs),
    column('request_id', text, (r: Row) => r.requestId),
    column('method', name, (r: Row) => r.method),
    column('route', name, (r: Row) => r.route),
    column('path', text, (r: Row) => r.path),
    column('status', uint64, (r: Row) => r.status),
    column('duration_us', uint64, (r: Row) => r.durationUs),
    column('ip', text, (r: Row) => r.ip),
    column('user_agent', text, (r: Row) => r.userAgent),
    column('actor', text, (r: Row) => r.actor),
    column('user_id', text, (r: Row) => r.userId),
    column('key_id', text, (r: Row) => r.keyId),
    column('bytes', uint64, (r: Row) => r.bytes),
    column('scraper', nullableName, (r: Row) => r.scraper),
    column('cache', nullableName, (r: Row) => r.cache),
    column('process', name, (r: Row) => r.process),
  ],
  ttl: (days) => `toDateTime(toStartOfDay(time)) + INTERVAL ${days + 1} DAY`,
};
