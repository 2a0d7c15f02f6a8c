import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#analytics/clickhouse/read-models/cursor.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { ifMatchHeaders } from '#api/http/if-match.ts';
import { momentQuery } from '#api/http/moment-query.ts';
import { CURSOR_PAGE } from '#api/http/page-query.ts';
import { queryFigures } from '#api/http/query-figures.ts';
import { queryChoices, queryNames } from '#api/http/query-list.ts';
import { refuseQuery } from '#api/http/refuse-query.ts';
import type { Database } from '#api/postgres/database.ts';
import { CASE_FIGURES, parseCaseFigures } from '#schemas/api/case-figures.ts';
import { caseChangeSchema, caseIdSchema, caseListSchema, newCaseSchema, wholeCaseSchema } from '#schemas/api/cases.ts';
import { detectionIdSchema } from '#schemas/api/detections.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { CASE_STATUSES } from '#schemas/case-terms.ts';
import { SEVERITIES } from '#schemas/detection.ts';
import { changedBy } from '../changed-by.ts';
import { caseRecord, fileRecord, taskRecord } from '../records/records.ts';
import { filesOfCase } from '../tables/case-files.ts';
import { tasksOfCase } from '../tables/case-tasks.ts';
import { detectionsOfCase, findCase, listCases } from '../tables/cases.ts';
import { CASE_TAGS, type CaseRoutesDeps, noSuchCase, READ, READ_ERRORS, refuse, WRITE, WRITE_ERRORS } from './deps.ts';

export const caseParams = z.strictObject({ id: caseIdSchema });
const SAVED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const assigneeNames = queryNames().refine(
  (names) => names.every((name) => !name.includes('\0')),
  'a name without NUL is expected',
);
const without = (filter: string) =>
  `without cases that have this ${filter}, or one of these; those that have none stay`;

const listQuery = z.strictObject({
  status: queryChoices(CASE_STATUSES)
    .optional()
    .describe('Only in this state, or one of these')
    .meta({ example: 'open,in_progress' }),
  severity: queryChoices(SEVERITIES).optional().describe('Only of this severity, or one of these'),
  assignee: assigneeNames.optional().describe('Only of this analyst, or one of these').meta({ example: 'annabel' }),
  'exclude.status': queryChoices(CASE_STATUSES).optional().describe(without('state')),
  'exclude.severity': queryChoices(SEVERITIES).optional().describe(without('severity')),
  'exclude.assignee': assigneeNames.optional().describe(without('assignee')),
  detection: detectionIdSchema.optional().describe('Only cases with this detection'),
  q: storableText(200).optional().describe('Part of the title, or the number').meta({ example: 'web' }),
  from: momentQuery('lower')
    .optional()
    .describe('Opened then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w)')
    .meta({ example: 'now()-7d' }),
  to: momentQuery('lower').optional().describe('Opened before then').meta({ example: '2026-04-01T00:00:00Z' }),
  figures: queryFigures(CASE_FIGURES, { parse: parseCaseFigures, example: 'detections>=3,openTasks=0' }),
  ...CURSOR_PAGE,
});

/**
 * GET and POST /api/cases, GET and PATCH /api/cases/{id}.
 * Long: each route includes its description.
 */
export function caseRoutes(app: ApiServer, { database, cases }: CaseRoutesDeps): void {
  app.get(
    '/api/cases',
    {
      config: READ,
      schema: {
        operationId: 'listCases',
        summary: 'List cases',
        description: 'The newest first. Filters that are given all apply.',
        tags: CASE_TAGS,
        querystring: listQuery,
        response: { 200: caseListSchema.describe('Cases.'), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async ({ query: { limit, cursor, from, to, ...filters } }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      const rows = await listCases(database, { ...filters, from, to }, { limit: limit + 1, after });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const nextCursor =
        rows.length > limit && last !== undefined ? encodeCursor([last.createdAt.toISOString(), last.id]) : null;
      return { data: page.map(caseRecord), limit, nextCursor };
    },
  );

  app.post(
    '/api/cases',
    {
      config: WRITE,
      schema: {
        operationId: 'createCase',
        summary: 'Open a case',
        description:
          'Opens a case, with detections and a template where they are given. Without a title it gets that of the template, or one from the first detection.',
        tags: CASE_TAGS,
        body: newCaseSchema,
        response: { 201: wholeCaseSchema.describe('The case; its ETag in the header too.'), ...WRITE_ERRORS },
      },
    },
    async (request, reply) => {
      const id = await cases.open(request.body, changedBy(request)).catch(refuse);
      reply.code(201).header('location', `/api/cases/${id}`);
      return tagged(reply, database, id);
    },
  );

  app.get(
    '/api/cases/:id',
    {
      config: READ,
      schema: {
        operationId: 'getCase',
        summary: 'Read a case',
        description: 'The case with its detections, tasks and files.',
        tags: CASE_TAGS,
        params: caseParams,
        response: { 200: wholeCaseSchema.describe('The case; its ETag in the header too.'), ...READ_ERRORS },
      },
    },
    ({ params: { id } }, reply) => tagged(reply, database, id),
  );

  app.patch(
    '/api/cases/:id',
    {
      config: WRITE,
      schema: {
        operationId: 'changeCase',
        summary: 'Change a case',
        description:
          'Title, description, severity, status, reason and assignee; fields that are left out stay. To close a case a reason is needed; a case that is opened again loses it. With the header If-Match, which takes the ETag of a GET, it is changed only if these fields did not change since (412 otherwise); without the header the last change wins. Every change is kept in the timeline, and audited.',
        tags: CASE_TAGS,
        params: caseParams,
        headers: ifMatchHeaders('case'),
        body: caseChangeSchema,
        response: {
          200: wholeCaseSchema.describe('The case as it is now; its ETag in the header too.'),
          ...WRITE_ERRORS,
          ...errorResponses(412),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await cases.change(id, request.body, changedBy(request), request.headers['if-match']).catch(refuse);
      return tagged(reply, database, id);
    },
  );
}

/** Returns the whole case. Undefined if there is no such case. */
export async function wholeCase(database: Database, id: string): Promise<z.output<typeof wholeCaseSchema> | undefined> {
  const row = await findCase(database, id);
  if (row === undefined) return undefined;
  const [detectionIds, tasks, files] = await Promise.all([
    detectionsOfCase(database, id),
    tasksOfCase(database, id),
    filesOfCase(database, id),
  ]);
  return { ...caseRecord(row), detectionIds, taskList: tasks.map(taskRecord), files: files.map(fileRecord) };
}

/** Returns the whole case, and sets the header ETag. */
async function tagged(reply: FastifyReply, database: Database, id: string) {
  const found = await wholeCase(database, id);
  if (found === undefined) throw noSuchCase();
  reply.header('etag', found.etag);
  return found;
}

function placeOf(cursor: string): [Date, string] {
  try {
    const [at = '', id = ''] = decodeCursor(cursor, [SAVED_AT, /^case_[0-9a-f]{32}$/]);
    return [new Date(at), id];
  } catch (error) {
    return refuseQuery(error);
  }
}
