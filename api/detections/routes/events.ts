import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getEvent, type ListedEvent, listEvents, streamEventLines } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { streamEventsParquet } from '#analytics/clickhouse/read-models/parquet.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { prefetch } from '#api/http/responses/prefetch.ts';
import { eventRecordSchema } from '#schemas/api/events.ts';
import { eventRecord } from '../records/event-record.ts';
import { eventsOfLines } from '../records/events-of-lines.ts';
import { listRoute, oneRoute, type RecordSource } from './records.ts';

/** GET /api/events and GET /api/events/{id}. */
export function eventRoutes(app: ApiServer, clickhouse: ClickHouse): void {
  const lines = (filters: Filters, signal: AbortSignal) => prefetch(streamEventLines(clickhouse, filters, signal));
  const source: RecordSource<'events', ListedEvent> = {
    kind: 'events',
    noun: 'event',
    shape: eventRecordSchema,
    list: (filters, page) => listEvents(clickhouse, filters, page),
    stream: (filters, signal) => eventsOfLines(lines(filters, signal)),
    lines,
    parquet: (filters, signal) => streamEventsParquet(clickhouse, filters, signal),
    get: (id) => getEvent(clickhouse, id),
    toRecord: eventRecord,
  };
  listRoute(app, source);
  oneRoute(app, source);
}
