import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection, listDetections, streamDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { MAX_PAGE } from '#analytics/clickhouse/read-models/listing.ts';
import type { Detection } from '#schemas/detection.ts';
import type { ApiServer } from '../http/api-server.ts';
import { eventRecord } from '../records/event-record.ts';
import { jsonArray, listRoute, oneRoute, type RecordSource } from './records.ts';

/** GET /api/detections and GET /api/detections/{id}, the latter with the newest of the events it rests on. */
export function detectionRoutes(app: ApiServer, clickhouse: ClickHouse): void {
  const source: RecordSource<'detections', Detection> = {
    kind: 'detections',
    noun: 'detection',
    list: (filters, page) => listDetections(clickhouse, filters, page),
    stream: (filters, signal) => streamDetections(clickhouse, filters, signal),
    get: (id) => getDetection(clickhouse, id),
    toRecord: (detection) => detection,
    async evidence({ id }) {
      const { items, nextCursor } = await listEvents(clickhouse, { detection: id }, { limit: MAX_PAGE });
      return {
        evidence: jsonArray('events', items.map(eventRecord)),
        evidenceComplete: String(nextCursor === undefined),
      };
    },
  };
  listRoute(app, source);
  oneRoute(app, source);
}
