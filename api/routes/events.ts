import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getEvent, listEvents, type StoredEvent, streamEvents } from '#analytics/clickhouse/read-models/events.ts';
import type { ApiServer } from '../http/api-server.ts';
import { eventRecord } from '../records/event-record.ts';
import { listRoute, oneRoute, type RecordSource } from './records.ts';

/** GET /api/events and GET /api/events/{id}. */
export function eventRoutes(app: ApiServer, clickhouse: ClickHouse): void {
  const source: RecordSource<'events', StoredEvent> = {
    kind: 'events',
    noun: 'event',
    list: (filters, page) => listEvents(clickhouse, filters, page),
    stream: (filters, signal) => streamEvents(clickhouse, filters, signal),
    get: (id) => getEvent(clickhouse, id),
    toRecord: eventRecord,
  };
  listRoute(app, source);
  oneRoute(app, source);
}
