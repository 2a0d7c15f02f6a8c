import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#analytics/clickhouse/read-models/cursor.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { momentQuery } from '#api/http/queries/moment-query.ts';
import { CURSOR_PAGE } from '#api/http/queries/page-query.ts';
import { queryFigures } from '#api/http/queries/query-figures.ts';
import { queryChoices, queryNames } from '#api/http/queries/query-list.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { ifMatchHeaders } from '#api/http/responses/if-match.ts';
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
  'must be a name without NUL',
);
const without = (filter: string) =>
  `without cases that have this ${filter}, or one of these; those that have none stay`;

const listQuery = z.strictObject({
  status: queryChoices(CASE_STATUSES).optional().describe('State, or several').meta({ example: 'open,in_progress' }),
  severity: queryChoices(SEVERITIES).optional().describe('Severity, or several'),
  assignee: assigneeNames.optional().describe('Assigned analyst, or several').meta({ example: 'annabel' }),
  'exclude.status': queryChoices(CASE_STATUSES).optional().describe(without('state')),
  'exclude.severity': queryChoices(SEVERITIES).optional().describe(without('severity')),
  'exclude.assignee': assigneeNames.optional().describe(without('assignee')),
  detection: detectionIdSchema.optional().describe('Cases that contain this detection'),
  q: storableText(200).optional().describe('Part of the title, or the case number').meta({ example: 'web' }),
  from: momentQuery('lower')
    .optional()
    .describe('Opened at this time or later: ISO 8601, or relative such as now()-7d (s, m, h, d, w)')
    .meta({ example: 'now()-7d' }),
  to: momentQuery('lower').optional().describe('Opened before this time').meta({ example: '2026-04-01T00:00:00Z' }),
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
        description: 'Newest first. All given filters must match.',
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
          'Opens a case, optionally with detections and a template. The default title is that of the template, or is derived from the first detection.',
        tags: CASE_TAGS,
        body: newCaseSchema,
        response: { 201: wholeCaseSchema.describe('The case; the header ETag contains its ETag.'), ...WRITE_ERRORS },
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
        response: { 200: wholeCaseSchema.describe('The case; the header ETag contains its ETag.'), ...READ_ERRORS },
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
          'Changes title, description, severity, status, reason and assignee; omitted fields stay as they are. Closing a case requires a reason; reopening removes it. With the header If-Match (the ETag of a GET), the change fails with 412 if these fields changed since then; without the header, the last change wins. Every change is recorded in the timeline, and audited.',
        tags: CASE_TAGS,
        params: caseParams,
        headers: ifMatchHeaders('case'),
        body: caseChangeSchema,
        response: {
          200: wholeCaseSchema.describe('The changed case; the header ETag contains its ETag.'),
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
