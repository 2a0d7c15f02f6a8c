import { z } from 'zod';
import { mayUse } from '#api/http/access/caller.ts';
import { missingScope } from '#api/http/access/missing-scope.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { minuteOf, momentQuery } from '#api/http/queries/moment-query.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { includeOf } from '#api/http/queries/query-include.ts';
import { queryChoices } from '#api/http/queries/query-list.ts';
import type { Database } from '#api/postgres/database.ts';
import { type ReadLists, readFromPrimary } from '#api/read-replica/read-lists.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { executionStatusSchema, recentExecutionSchema } from '#schemas/api/executions.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import type { CountTotal } from '../lists/totals.ts';
import { errorText } from '../records/error-text.ts';
import { withStarters } from '../records/with-starters.ts';
import {
  countAllRecentExecutions,
  countRecentExecutions,
  keptCountOfRecent,
  listRecentExecutions,
  type RecentFilters,
} from '../store/recent.ts';
import { boundsOf, TIME_BOUNDS } from './time-bounds.ts';

const KINDS = ['workflow', 'agent'] as const;
const SCOPES = { workflow: 'workflows:read', agent: 'agents:read' } as const;

const query = z.strictObject({
  kind: queryChoices(KINDS)
    .optional()
    .describe('Only executions of these kinds; default: all kinds that the caller may read'),
  status: z
    .string()
    .transform((text) => [...new Set(text.split(',').map((status) => status.trim()))])
    .pipe(z.array(executionStatusSchema).min(1))
    .optional()
    .describe('Statuses, joined by commas')
    .meta({ example: 'failed,rejected' }),
  workflow: storableText(100)
    .optional()
    .describe('Only executions of this workflow: id or slug')
    .meta({ example: 'nightly-report' }),
  agent: storableText(100).optional().describe('Only executions of this agent: id or slug').meta({ example: 'triage' }),
  ...TIME_BOUNDS,
  fromDate: momentQuery('lower').optional().describe('The older name of `from`').meta({ example: 'now()-7d' }),
  toDate: momentQuery('upper')
    .optional()
    .describe('Like `to`, but inclusive; a date without a time means the whole day')
    .meta({ example: 'now()-1h' }),
  include: includeOf(['startedBy']),
  ...PAGE_SHAPE,
});

export interface RecentExecutionsDeps {
  readonly database: Database;
  readonly countTotal: CountTotal;
  /** If undefined, lists are read from `database`. */
  readonly readLists?: ReadLists | undefined;
  /** Resolves the id or slug of a workflow or agent that the viewer may see to its id; undefined if none exists. */
  readonly findUnit: (kind: (typeof KINDS)[number], viewer: Viewer, idOrSlug: string) => Promise<string | undefined>;
}

/** GET /api/v1/executions: the newest executions of all workflows and agents. */
export function recentExecutionsRoute(
  app: ApiServer,
  { database, countTotal, findUnit, readLists = readFromPrimary(database) }: RecentExecutionsDeps,
): void {
  app.get(
    '/api/v1/executions',
    {
      config: { access: { by: 'key-or-session', scope: 'workflows:read', or: 'agents:read' } },
      schema: {
        operationId: 'listExecutions',
        summary: 'List the newest executions',
        description:
          'Executions of all workflows and agents. Users see all executions of their own workflows and agents and of those shared with them by a grant, and of others only those that they started. Administrators see all. Executions of workflows need the scope workflows:read, those of agents agents:read. Totals are exact; with from or to, totals above 10,000 are up to 30 seconds old.',
        tags: ['workflows'],
        querystring: query,
        response: {
          200: listOf(recentExecutionSchema).describe('Executions.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const { caller } = request;
      const { kind, status, workflow, agent, fromDate, toDate, include, limit, offset } = request.query;
      const { from, to } = boundsOf(request.query, { names: ['fromDate', 'toDate'], from: fromDate, to: toDate });
      if (workflow !== undefined && agent !== undefined)
        throw apiError('invalid_value', '`workflow` and `agent` exclude each other', 'agent');
      const unitKind = workflow !== undefined ? 'workflow' : agent !== undefined ? 'agent' : undefined;
      const asked = kind ?? (unitKind && [unitKind]);
      const readable = KINDS.filter((one) => caller !== undefined && mayUse(caller, SCOPES[one]));
      const refused = asked?.find((one) => !readable.includes(one));
      if (refused !== undefined) throw missingScope(caller, [SCOPES[refused]]);
      const viewer = viewerOf(request);
      const filters: RecentFilters = {
        kinds: unitKind === undefined ? (asked ?? readable) : (asked ?? []).filter((one) => one === unitKind),
        statuses: status,
        unitId: await unitIdOf(viewer, { workflow, agent }),
        from,
        to,
      };
      const key = JSON.stringify([viewer, { ...filters, from: minuteOf(from), to: minuteOf(to) }]);
      const [rows, total] = await readLists(request, (db) =>
        Promise.all([
          listRecentExecutions(db, viewer, filters, { limit, offset }).then((found) =>
            withStarters(db, viewer, found, include),
          ),
          countTotal(`recent ${key}`, {
            upTo: (atMost) => countRecentExecutions(db, viewer, filters, atMost),
            kept: keptCountOfRecent(db, viewer, filters),
            all: () => countAllRecentExecutions(db, viewer, filters),
          }),
        ]),
      );
      const data = rows.map((row) => ({
        ...row,
        error: errorText(row.error),
        createdAt: row.createdAt.toISOString(),
        startedAt: row.startedAt?.toISOString() ?? null,
        completedAt: row.completedAt?.toISOString() ?? null,
      }));
      return { data, total, limit, offset };
    },
  );

  /** Returns the id. An invisible workflow or agent is reported as not found. */
  async function unitIdOf(
    viewer: Viewer,
    { workflow, agent }: { readonly workflow: string | undefined; readonly agent: string | undefined },
  ): Promise<string | undefined> {
    const kind = workflow === undefined ? 'agent' : 'workflow';
    const idOrSlug = workflow ?? agent;
    if (idOrSlug === undefined) return undefined;
    const id = await findUnit(kind, viewer, idOrSlug);
    if (id === undefined) throw apiError('not_found', `there is no such ${kind}`, kind);
    return id;
  }
}
