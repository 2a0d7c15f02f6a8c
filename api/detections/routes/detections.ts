import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection, listDetections, streamDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { MAX_PAGE } from '#analytics/clickhouse/read-models/listing.ts';
import { streamDetectionsParquet } from '#analytics/clickhouse/read-models/parquet.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { detectionWithEvidenceSchema } from '#schemas/api/detections.ts';
import { type Detection, detectionSchema } from '#schemas/detection.ts';
import { eventRecord } from '../records/event-record.ts';
import { findTriage } from '../tables/detection-triage.ts';
import { withDecision } from '../triage/with-decision.ts';
import { jsonArray, listRoute, oneRoute } from './records.ts';

/** A detection with the version of its decision. The version is undefined if this process stores no decisions. */
interface DecidedDetection {
  readonly detection: Detection;
  readonly version: number | undefined;
}

/**
 * GET /api/detections and GET /api/detections/{id}. The latter includes the newest events of its evidence, and an ETag
 * for changes of the decision. Decisions are read from `database`.
 */
export function detectionRoutes(app: ApiServer, clickhouse: ClickHouse, database?: Database): void {
  listRoute<'detections', Detection>(app, {
    kind: 'detections',
    noun: 'detection',
    shape: detectionSchema,
    list: (filters, page) => listDetections(clickhouse, filters, page),
    stream: (filters, signal, order) => streamDetections(clickhouse, filters, signal, order),
    parquet: (filters, signal) => streamDetectionsParquet(clickhouse, filters, signal),
    toRecord: (detection) => detection,
  });
  oneRoute<'detections', DecidedDetection>(app, {
    kind: 'detections',
    noun: 'detection',
    shapeOfOne: detectionWithEvidenceSchema,
    get: decided,
    toRecord: ({ detection }) => detection,
    etag: ({ version }) => (version === undefined ? undefined : entityTag(version)),
    async evidence({ detection: { id } }) {
      const { items, nextCursor } = await listEvents(clickhouse, { detection: id }, { limit: MAX_PAGE });
      return {
        evidence: jsonArray('events', items.map(eventRecord)),
        evidenceComplete: String(nextCursor === undefined),
      };
    },
  });

  async function decided(id: string): Promise<DecidedDetection | undefined> {
    const detection = await getDetection(clickhouse, id);
    if (detection === undefined || database === undefined) return detection && { detection, version: undefined };
    const triage = await findTriage(database, id);
    return { detection: withDecision(detection, triage), version: triage?.version ?? 0 };
  }
}
