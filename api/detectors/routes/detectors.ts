import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  type DetectorBody,
  detectorParamsSchema,
  detectorStatusSchema,
  detectorsSchema,
} from '#schemas/api/detectors.ts';
import type { RevokeDetector } from '../revoke.ts';
import { type Detector, listDetectors, writeDetectorReport } from '../tables/detectors.ts';

export interface DetectorRoutesDeps {
  readonly database: Database;
  readonly revoke: RevokeDetector;
}

const TAGS = ['detectors'];

/** Detectors of enrolled hosts: GET /api/detectors, PUT /api/detectors/status and DELETE /api/admin/detectors/:hostname. */
export function detectorRoutes(app: ApiServer, { database, revoke }: DetectorRoutesDeps): void {
  app.get(
    '/api/detectors',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        operationId: 'listDetectors',
        summary: 'List the detectors',
        description: 'All enrolled hosts with the last reports of their detectors, silent ones first.',
        tags: TAGS,
        response: { 200: detectorsSchema.describe('The detectors.'), ...errorResponses(401, 403, 429, 503) },
      },
    },
    async () => ({ data: (await listDetectors(database)).map(detectorRecord) }),
  );

  app.delete(
    '/api/admin/detectors/:hostname',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'revokeDetector',
        summary: 'Revoke a detector',
        description:
          'Revokes the key of the host and removes the host from the list. Its events stay. The host can be enrolled again.',
        tags: TAGS,
        params: detectorParamsSchema,
        response: {
          204: z.undefined().describe('The key is revoked.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      if (!(await revoke(request.params.hostname, by))) throw apiError('not_found', 'this host is not enrolled');
      return reply.code(204).send();
    },
  );

  statusRoute(app, database);
}

function statusRoute(app: ApiServer, database: Database): void {
  app.put(
    '/api/detectors/status',
    {
      // Counted per key: hosts behind one address must not exhaust the limit of the address.
      config: { access: { by: 'key', scope: 'events:write' }, limiting: 'poll' },
      schema: {
        operationId: 'reportDetectorStatus',
        summary: 'Report the status of a detector',
        description: 'Called once a minute by the detector of an enrolled host, with its key.',
        tags: TAGS,
        body: detectorStatusSchema,
        response: {
          204: z.undefined().describe('The status is stored.'),
          ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
    },
    async ({ caller, body }, reply) => {
      const { hostname, refusedEvents = null, droppedEvents = null, ...report } = body;
      if (caller?.kind === 'host' && hostname !== undefined && hostname !== caller.hostname)
        throw apiError('other_host', `the key belongs to the host ${caller.hostname}, not to ${hostname}`, 'hostname');
      const stored =
        caller?.kind === 'host' &&
        (await writeDetectorReport(database, caller.keyId, { ...report, refusedEvents, droppedEvents }));
      if (!stored) throw apiError('not_found', 'this key is not that of an enrolled host');
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
    lagMs: numberOf(detector.lagMs),
    lostRecords: numberOf(detector.lostRecords),
    refusedEvents: numberOf(detector.refusedEvents),
    droppedEvents: numberOf(detector.droppedEvents),
    settings: detector.settings,
  };
}

/** The driver returns a bigint as a string. */
function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
