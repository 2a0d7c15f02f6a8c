import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { CURSOR_PAGE } from '#api/http/queries/page-query.ts';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import { recordTexts } from '#api/http/responses/send-records.ts';
import type { Database } from '#api/postgres/database.ts';
import { decisionChangeSchema, detectionHistorySchema, detectionIdSchema } from '#schemas/api/detections.ts';
import { detectionSchema } from '#schemas/detection.ts';
import { findTriage, listChanges } from '../tables/detection-triage.ts';
import { bulkRoutes } from './bulk-routes.ts';
import type { ChangeDecisions } from './change-decisions.ts';
import { byOf, refuseAssignee } from './request-of-change.ts';
import type { UndoDecisions } from './undo-decisions.ts';
import { withDecision } from './with-decision.ts';

export interface DetectionChangeRoutesDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly changeDecisions: ChangeDecisions;
  readonly undoDecisions: UndoDecisions;
}

const READ = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const WRITE = { access: { by: 'key-or-session', scope: 'detections:write' } } as const;
const WRITE_ERRORS = errorResponses(400, 401, 403, 413, 415, 429, 503);
const tags = ['detection service'];
const params = z.strictObject({ id: detectionIdSchema });

const historyQuery = z.strictObject({
  limit: CURSOR_PAGE.limit,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a cursor that this list returned')
    .transform(Number)
    .optional()
    .describe('`nextCursor` of the previous page'),
});

/** PATCH /api/detections/{id}, POST /api/detections/bulk and /undo, GET /api/detections/{id}/history. */
export function detectionChangeRoutes(app: ApiServer, deps: DetectionChangeRoutesDeps): void {
  const { clickhouse, database, changeDecisions } = deps;

  app.patch(
    '/api/detections/:id',
    {
      config: WRITE,
      schema: {
        operationId: 'changeDetection',
        summary: 'Change the decision about a detection',
        description:
          'Changes status, verdict, assignee and note; omitted fields stay as they are. With the header If-Match (the ETag of a GET), the change fails with 412 if the decision changed since then; without the header, the last change wins. The ETag covers the decision, not the evidence: new evidence does not change it. Every change is recorded, see …/history, and audited.',
        tags,
        params,
        headers: ifMatchHeaders('decision'),
        body: decisionChangeSchema,
        response: {
          200: detectionSchema.describe('The changed detection; the header ETag contains its ETag.'),
          ...WRITE_ERRORS,
          ...errorResponses(404, 412),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const wanted = { id, ifMatch: request.headers['if-match'] };
      const [result] = await changeDecisions([wanted], request.body, byOf(request)).catch(refuseAssignee('assignee'));
      if (result?.outcome === 'changed_meanwhile') throw changedSinceRead();
      const detection = await getDetection(clickhouse, id);
      if (result === undefined || result.outcome === 'not_found' || detection === undefined) throw noSuchDetection();
      const triage = await findTriage(database, id);
      const [text] = recordTexts(FORMATS.json, 'detections', [withDecision(detection, triage)]);
      return reply
        .header('etag', entityTag(triage?.version ?? 0))
        .type('application/json; charset=utf-8')
        .serializer((body: unknown) => String(body))
        .send(text as never);
    },
  );

  bulkRoutes(app, deps);

  app.get(
    '/api/detections/:id/history',
    {
      config: READ,
      schema: {
        operationId: 'listDetectionHistory',
        summary: 'List changes of a detection',
        description: 'Changes of the decision with actor and time, newest first.',
        tags,
        params,
        querystring: historyQuery,
        response: {
          200: detectionHistorySchema.describe('Changes.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { limit, cursor } = request.query;
      const rows = await listChanges(database, id, { limit: limit + 1, before: cursor });
      if (rows.length === 0 && (await getDetection(clickhouse, id)) === undefined) throw noSuchDetection();
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(({ detectionId: _, at, ...change }) => ({ ...change, at: at.toISOString() })),
        limit,
        nextCursor: rows.length > limit && last !== undefined ? String(last.version) : null,
      };
    },
  );
}

function noSuchDetection() {
  return apiError('not_found', 'there is no detection with this id');
}
