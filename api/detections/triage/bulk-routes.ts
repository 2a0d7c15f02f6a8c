import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { landedBy } from '#analytics/clickhouse/read-models/detection-groups.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { bulkChangeSchema, bulkResultSchema, MAX_BULK, undoResultSchema, undoSchema } from '#schemas/api/detections.ts';
import type { ChangeDecisions, WantedDetection } from './change-decisions.ts';
import { byOf, refuseAssignee } from './request-of-change.ts';
import type { UndoDecisions } from './undo-decisions.ts';

export interface BulkRoutesDeps {
  readonly clickhouse: ClickHouse;
  readonly changeDecisions: ChangeDecisions;
  readonly undoDecisions: UndoDecisions;
}

const WRITE = { access: { by: 'key-or-session', scope: 'detections:write' } } as const;
const WRITE_ERRORS = errorResponses(400, 401, 403, 413, 415, 429, 503);
const tags = ['detection service'];

const bulkSchema = z
  .strictObject({
    detections: bulkChangeSchema.shape.detections.optional(),
    filter: z
      .strictObject(FILTER_SHAPES.detections)
      .optional()
      .describe('Instead of `detections`: all detections that match these filters of the list, one page per request'),
    asOf: z.iso
      .datetime()
      .optional()
      .describe('With a filter: excludes later detections; value from GET /api/detections/count'),
    limit: z
      .int()
      .min(1)
      .max(MAX_BULK)
      .default(MAX_BULK)
      .describe('With a filter: number of detections in this request'),
    cursor: z.string().min(1).max(2000).optional().describe('With a filter: `nextCursor` of the previous response'),
    change: bulkChangeSchema.shape.change,
  })
  .refine(
    ({ detections, filter }) => (detections === undefined) !== (filter === undefined),
    'must have either `detections` or a `filter`',
  )
  .refine(
    ({ detections, asOf, cursor }) => detections === undefined || (asOf === undefined && cursor === undefined),
    '`asOf` and `cursor` go with a `filter`',
  );
type BulkChange = z.output<typeof bulkSchema>;

/** POST /api/detections/bulk and POST /api/detections/undo. */
export function bulkRoutes(app: ApiServer, deps: BulkRoutesDeps): void {
  const { clickhouse, changeDecisions, undoDecisions } = deps;

  app.post(
    '/api/detections/bulk',
    {
      config: WRITE,
      schema: {
        operationId: 'changeDetections',
        summary: 'Change many detections',
        description:
          'Makes the same change to up to 1,000 detections, and returns the outcome of each. With an `etag`, or with the `seen` state of a list, a detection that changed since then is not changed. With a `filter`, repeat the request with `nextCursor` until it is null to change all matches; concurrent decisions of other callers are kept. Each change has a history entry and an audit entry.',
        tags,
        body: bulkSchema,
        response: { 200: bulkResultSchema.describe('The outcomes.'), ...WRITE_ERRORS },
      },
    },
    async (request) => {
      const { wanted, nextCursor } = await chosen(request.body);
      const { change } = request.body;
      const changed =
        wanted.length === 0
          ? []
          : await changeDecisions(wanted, change, byOf(request)).catch(refuseAssignee('change.assignee'));
      return { results: changed, nextCursor };
    },
  );

  app.post(
    '/api/detections/undo',
    {
      config: WRITE,
      schema: {
        operationId: 'undoDetectionChanges',
        summary: 'Undo changes of detections',
        description:
          'Restores status, verdict, assignee and note to the state before the latest change of each detection. The ETag in the response of the change identifies it: a detection that changed since then is not changed. The undo has its own history entry and audit entry. Actions of workflows and outputs that the change caused are not undone.',
        tags,
        body: undoSchema,
        response: { 200: undoResultSchema.describe('The outcomes.'), ...WRITE_ERRORS },
      },
    },
    async (request) => {
      const wanted = request.body.detections.map(({ id, etag }) => ({ id, ifMatch: etag }));
      return { results: await undoDecisions(wanted, byOf(request)) };
    },
  );

  async function chosen({ detections, filter, asOf, limit, cursor }: BulkChange): Promise<{
    readonly wanted: readonly WantedDetection[];
    readonly nextCursor: string | null;
  }> {
    if (filter === undefined) {
      const named = detections ?? [];
      return { wanted: named.map(({ id, etag, seen }) => ({ id, ifMatch: etag, seen })), nextCursor: null };
    }
    const also = asOf === undefined ? [] : [landedBy(clickhouse, Date.parse(asOf))];
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const found = await listDetections(clickhouse, withoutUndefined(filter), page, also).catch(refuseQuery);
    const wanted = found.items.map(({ id, status, verdict, assignee, note }) => ({
      id,
      seen: { status, verdict, assignee, note },
    }));
    return { wanted, nextCursor: found.nextCursor ?? null };
  }
}
