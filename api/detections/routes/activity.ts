import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { type ActivityRequest, listHosts, listProcesses } from '#analytics/clickhouse/read-models/activity.ts';
import type { PageRequest } from '#analytics/clickhouse/read-models/list-definition.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { FILTER_SHAPES, PAGING, readListQuery } from '#api/http/queries/list-query.ts';
import { queryFigures } from '#api/http/queries/query-figures.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { hostsPageSchema, processesPageSchema } from '#schemas/api/activity.ts';
import {
  ACTIVITY_FIGURES,
  type ActivityCondition,
  type ActivityFigure,
  parseFigures,
} from '#schemas/api/activity-figures.ts';
import { ACTIVITY_SORTS, type ActivitySort } from '#schemas/api/activity-sort.ts';

const config = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const tags = ['detection service'];
const { from, to, hostname, procname } = FILTER_SHAPES.events;
const q = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('text contained in the host name, ignoring case')
  .meta({ example: 'web' });
const sort = z
  .enum(ACTIVITY_SORTS)
  .optional()
  .describe(
    'by latest event (default) or by risk, highest first; by risk, paging may repeat or omit hosts that change at the same time',
  );
const figuresOf = (known: readonly ActivityFigure[]) =>
  queryFigures(known, {
    parse: parseFigures,
    example: 'crashes>=10,risk>=70',
    note: '; the risk on the scale of 0 to 100',
  });
const ERRORS = errorResponses(400, 401, 403, 429, 503);

/** GET /api/hosts and GET /api/processes. */
export function activityRoutes(app: ApiServer, clickhouse: ClickHouse): void {
  app.get(
    '/api/hosts',
    {
      config,
      schema: {
        operationId: 'listHosts',
        summary: 'List hosts',
        description:
          'Hosts that sent events, the last seen first, with events, crashes, programs, detections and risk. All pages show the state at the time of the first page.',
        tags,
        querystring: z.strictObject({ from, to, hostname, q, figures: figuresOf(ACTIVITY_FIGURES), sort, ...PAGING }),
        response: { 200: hostsPageSchema.describe('A page of hosts.'), ...ERRORS },
      },
    },
    async (request) => {
      const { sort, figures, ...query } = request.query;
      const { filters, page } = readListQuery(query);
      const { items, nextCursor } = await listHosts(clickhouse, filters, requestOf(page, sort, figures)).catch(
        refuseQuery,
      );
      return { data: items, limit: page.limit, nextCursor: nextCursor ?? null };
    },
  );

  app.get(
    '/api/processes',
    {
      config,
      schema: {
        operationId: 'listProcesses',
        summary: 'List programs',
        description:
          'Programs by host, the last seen first, with events, crashes, detections and risk. All pages show the state at the time of the first page.',
        tags,
        querystring: z.strictObject({
          from,
          to,
          hostname,
          procname,
          figures: figuresOf(ACTIVITY_FIGURES.filter((figure) => figure !== 'programs')),
          sort,
          ...PAGING,
        }),
        response: { 200: processesPageSchema.describe('A page of programs.'), ...ERRORS },
      },
    },
    async (request) => {
      const { sort, figures, ...query } = request.query;
      const { filters, page } = readListQuery(query);
      const { items, nextCursor } = await listProcesses(clickhouse, filters, requestOf(page, sort, figures)).catch(
        refuseQuery,
      );
      return { data: items, limit: page.limit, nextCursor: nextCursor ?? null };
    },
  );
}

function requestOf(
  page: PageRequest,
  sort: ActivitySort | undefined,
  figures: readonly ActivityCondition[] | undefined,
): ActivityRequest {
  return { ...page, ...(sort === undefined ? {} : { sort }), ...(figures === undefined ? {} : { figures }) };
}
