import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface ApiRequestRow {
  /** When the answer ended. Epoch milliseconds. */
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

const compressed = { codec: 'ZSTD(1)' };

/**
 * One row a request to the API. Sorted so that the hours of one caller lie together, and so do all requests of an hour. The time is
 * that of our own clock, so it may be the partition key.
 */
export const apiRequestsTable: Table<Row> = {
  name: 'api_requests',
  columns: [
    column('time', milliseconds, (r: Row) => r.timeMs, { codec: 'Delta, ZSTD(1)', comment: 'When the answer ended' }),
    column('request_id', text, (r: Row) => r.requestId, compressed),
    column('method', name, (r: Row) => r.method),
    column('route', name, (r: Row) => r.route, { comment: 'Pattern of the route; none when no route matched' }),
    column('path', text, (r: Row) => r.path, { ...compressed, comment: 'Without the query; long segments are *' }),
    column('status', uint64, (r: Row) => r.status, { codec: 'T64, ZSTD(1)' }),
    column('duration_us', uint64, (r: Row) => r.durationUs, {
      codec: 'T64, ZSTD(1)',
      comment: 'From the first byte of the request to the last of its answer, microseconds',
    }),
    column('ip', text, (r: Row) => r.ip, compressed),
    column('user_agent', text, (r: Row) => r.userAgent, compressed),
    column('actor', text, (r: Row) => r.actor, {
      ...compressed,
      comment: 'user:<id>, key:<keyId>, operator, anonymous',
    }),
    column('user_id', text, (r: Row) => r.userId, {
      ...compressed,
      comment: 'Whose session or key it was; empty: nobody',
    }),
    column('key_id', text, (r: Row) => r.keyId, { ...compressed, comment: 'Empty: not by a key' }),
    column('bytes', uint64, (r: Row) => r.bytes, { codec: 'T64, ZSTD(1)', comment: 'Sent, headers included' }),
    column('scraper', nullableName, (r: Row) => r.scraper),
    column('cache', nullableName, (r: Row) => r.cache, { comment: 'Of a scraper: where its answer came from' }),
    column('process', name, (r: Row) => r.process, { comment: 'host:pid that answered' }),
  ],
  indexes: [
    'INDEX time_range time TYPE minmax GRANULARITY 1',
    'INDEX request_id_filter request_id TYPE bloom_filter(0.001) GRANULARITY 4',
    'INDEX ip_filter ip TYPE bloom_filter(0.01) GRANULARITY 4',
  ],
  engine: 'MergeTree',
  partitionBy: 'toYYYYMM(time)',
  orderBy: '(toStartOfHour(time), user_id, time)',
  ttl: (days) => `toDateTime(toStartOfDay(time)) + INTERVAL ${days + 1} DAY`,
  // A batch that is sent again because its acknowledgement got lost is known by its token.
  settings: { non_replicated_deduplication_window: 1_000 },
};
