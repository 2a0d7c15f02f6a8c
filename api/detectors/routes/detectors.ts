import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { Database } from '#api/postgres/database.ts';
import { type DetectorBody, detectorStatusSchema, detectorsSchema } from '#schemas/api/detectors.ts';
import { type Detector, listDetectors, writeDetectorReport } from '../tables/detectors.ts';

/** Detectors of enrolled hosts: GET /api/detectors and PUT /api/detectors/status. */
export function detectorRoutes(app: ApiServer, { database }: { readonly database: Database }): void {
  const tags = ['detectors'];

  app.get(
    '/api/detectors',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        operationId: 'listDetectors',
        summary: 'List the detectors',
        description: 'All enrolled hosts with what their detectors reported last; those that are silent first.',
        tags,
        response: { 200: detectorsSchema.describe('The detectors.'), ...errorResponses(401, 403, 429, 503) },
      },
    },
    async () => ({ data: (await listDetectors(database)).map(detectorRecord) }),
  );

  app.put(
    '/api/detectors/status',
    {
      config: { access: { by: 'key', scope: 'events:write' } },
      schema: {
        operationId: 'reportDetectorStatus',
        summary: 'Report the status of a detector',
        description: 'Called once a minute by the detector of an enrolled host, with its key.',
        tags,
        body: detectorStatusSchema,
        response: {
          204: z.undefined().describe('It is stored.'),
          ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      if (caller?.kind !== 'key' || !(await writeDetectorReport(database, caller.keyId, request.body)))
        throw apiError('not_found', 'this key is not that of an enrolled host');
      return reply.code(204).send();
    },
  );
}

function detectorRecord(detector: Detector): DetectorBody {
  return {
    hostname: detector.hostname,
    keyId: detector.keyId,
    enrolledAt: detector.enrolledAt.toISOString(),
    version: detector.version,
    source: detector.source,
    lastSeenAt: detector.lastSeenAt?.toISOString() ?? null,
    silent: detector.silent,
    lagMs: detector.lagMs === null ? null : Number(detector.lagMs),
    lostRecords: detector.lostRecords === null ? null : Number(detector.lostRecords),
    settings: detector.settings,
  };
}
