import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { countDetections, groupDetections } from '#analytics/clickhouse/read-models/detection-groups.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { queryIntegerOr } from '#api/http/queries/query-values.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { detectionCountSchema, detectionGroupsSchema } from '#schemas/api/detection-groups.ts';
import { DETECTION_GROUPINGS } from '#schemas/api/detection-sort.ts';

const config = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const tags = ['detection service'];
const ERRORS = errorResponses(400, 401, 403, 429, 503);
const MAX_GROUPS = 500;

/** GET /api/detections/groups and GET /api/detections/count. */
export function detectionGroupRoutes(app: ApiServer, clickhouse: ClickHouse): void {
  app.get(
    '/api/detections/groups',
    {
      config,
      schema: {
        operationId: 'groupDetections',
        summary: 'Group detections',
        description:
          'Detections grouped by program, host, rule or campaign, with counts and the worst severity of each group. The filters are those of the list. The value of a group is a value of the filter with the same name.',
        tags,
        querystring: z.strictObject({
          by: z.enum(DETECTION_GROUPINGS).describe('field by which detections are grouped'),
          ...FILTER_SHAPES.detections,
          limit: queryIntegerOr(100, { min: 1, max: MAX_GROUPS })
            .describe(`maximum number of groups, up to ${MAX_GROUPS}; default 100`)
            .meta({ example: 100 }),
        }),
        response: { 200: detectionGroupsSchema.describe('The groups.'), ...ERRORS },
      },
    },
    async (request) => {
      const { by, limit, ...filters } = request.query;
      const found = await groupDetections(clickhouse, by, withoutUndefined(filters), limit).catch(refuseQuery);
      return { by, ...found };
    },
  );

  app.get(
    '/api/detections/count',
    {
      config,
      schema: {
        operationId: 'countDetections',
        summary: 'Count detections that match filters',
        description:
          'The exact number of detections that match the filters. With `asOf`, a bulk change with the same filters excludes later detections.',
        tags,
        querystring: z.strictObject(FILTER_SHAPES.detections),
        response: { 200: detectionCountSchema.describe('The count.'), ...ERRORS },
      },
    },
    async (request) => {
      const found = await countDetections(clickhouse, withoutUndefined(request.query)).catch(refuseQuery);
      return { detections: found.detections, asOf: new Date(found.asOfMs).toISOString() };
    },
  );
}
