import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import {
  getEvent,
  type ListedEvent,
  listEvents,
  streamEventLines,
  streamEvents,
} from '#analytics/clickhouse/read-models/events.ts';
import { eventRecordSchema } from '#schemas/api/events.ts';
import type { ApiServer } from '../http/api-server.ts';
import { eventRecord } from '../records/event-record.ts';
import { listRoute, oneRoute, type RecordSource } from './records.ts';

/** GET /api/events and GET /api/events/{id}. */
export function eventRoutes(app: ApiServer, clickhouse: ClickHouse): void {
  const source: RecordSource<'events', ListedEvent> = {
    kind: 'events',
    noun: 'event',
    shape: eventRecordSchema,
    list: (filters, page) => listEvents(clickhouse, filters, page),
    stream: (filters, signal) => streamEvents(clickhouse, filters, signal),
    lines: (filters, signal) => streamEventLines(clickhouse, filters, signal),
    get: (id) => getEvent(clickhouse, id),
    toRecord: eventRecord,
  };
  listRoute(app, source);
  oneRoute(app, source);
}
