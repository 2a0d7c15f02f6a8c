import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#analytics/clickhouse/read-models/cursor.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { CURSOR_PAGE } from '#api/http/queries/page-query.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { caseIdSchema } from '#schemas/api/cases.ts';
import { commentBodySchema, commentIdSchema, commentListSchema, commentSchema } from '#schemas/api/comments.ts';
import { detectionIdSchema } from '#schemas/api/detections.ts';
import { changedBy } from '../changed-by.ts';
import type { CommentRefusal } from '../comments/comments.ts';
import { commentRecord } from '../records/records.ts';
import { findCase } from '../tables/cases.ts';
import { listComments } from '../tables/comments.ts';
import { type CaseRoutesDeps, READ, READ_ERRORS, WRITE, WRITE_ERRORS } from './deps.ts';

const SAVED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const query = z.strictObject(CURSOR_PAGE);

/** A kind of object with comments: its path, its names and the required scopes. */
export interface Subject {
  readonly path: 'detections' | 'cases';
  /** Part of operation ids, such as `listDetectionComments`. */
  readonly name: 'Detection' | 'Case';
  readonly noun: string;
  readonly tag: string;
  readonly id: z.ZodType<string>;
  readonly read:
    | typeof READ
    | { readonly access: { readonly by: 'key-or-session'; readonly scope: 'detections:read' } };
  readonly write:
    | typeof WRITE
    | { readonly access: { readonly by: 'key-or-session'; readonly scope: 'detections:write' } };
  /** True if an object with this id exists. */
  readonly exists: (id: string) => Promise<boolean>;
}

/** Returns the kinds of objects with comments and executions: detections and cases. */
export function subjectsOf({ clickhouse, database }: Pick<CaseRoutesDeps, 'clickhouse' | 'database'>): Subject[] {
  return [
    {
      path: 'detections',
      name: 'Detection',
      noun: 'a detection',
      tag: 'detection service',
      id: detectionIdSchema,
      read: { access: { by: 'key-or-session', scope: 'detections:read' } },
      write: { access: { by: 'key-or-session', scope: 'detections:write' } },
      exists: async (id) => (await getDetection(clickhouse, id)) !== undefined,
    },
    {
      path: 'cases',
      name: 'Case',
      noun: 'a case',
      tag: 'cases',
      id: caseIdSchema,
      read: READ,
      write: WRITE,
      exists: async (id) => (await findCase(database, id)) !== undefined,
    },
  ];
}

/**
 * Routes for comments on one kind of object.
 * Long: each route includes its description.
 */
export function commentRoutes(
  app: ApiServer,
  { database, comments }: Pick<CaseRoutesDeps, 'database' | 'comments'>,
  { path, name, noun, tag, id: idSchema, read, write, exists }: Subject,
): void {
  const tags = [tag];
  const params = z.strictObject({ id: idSchema });
  const oneParams = params.extend({ commentId: commentIdSchema });

  app.get(
    `/api/${path}/:id/comments`,
    {
      config: read,
      schema: {
        operationId: `list${name}Comments`,
        summary: `List the comments on ${noun}`,
        description: 'Oldest first. A deleted comment stays in the list without its text.',
        tags,
        params,
        querystring: query,
        response: { 200: commentListSchema.describe('Comments.'), ...READ_ERRORS },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { limit, cursor } = request.query;
      const after = cursor === undefined ? undefined : placeOf(cursor);
      const rows = await listComments(database, id, { limit: limit + 1, after });
      if (rows.length === 0 && !(await exists(id))) throw missing(noun);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const by = changedBy(request);
      return {
        data: page.map((row) => commentRecord(row, by)),
        limit,
        nextCursor:
          rows.length > limit && last !== undefined ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
      };
    },
  );

  app.post(
    `/api/${path}/:id/comments`,
    {
      config: write,
      schema: {
        operationId: `create${name}Comment`,
        summary: `Comment on ${noun}`,
        description:
          'Each analyst whose name is mentioned as `@name` gets a mail, unless they disabled such mails. Audited.',
        tags,
        params,
        body: commentBodySchema,
        response: { 201: commentSchema.describe('The comment.'), ...WRITE_ERRORS },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await exists(id))) throw missing(noun);
      const by = changedBy(request);
      return reply.code(201).send(commentRecord(await comments.add(id, request.body.text, by), by));
    },
  );

  app.patch(
    `/api/${path}/:id/comments/:commentId`,
    {
      config: write,
      schema: {
        operationId: `change${name}Comment`,
        summary: `Edit a comment on ${noun}`,
        description: 'Only its author may edit a comment. The previous text stays in the audit log.',
        tags,
        params: oneParams,
        body: commentBodySchema,
        response: { 200: commentSchema.describe('The changed comment.'), ...WRITE_ERRORS },
      },
    },
    async (request) => {
      const { id, commentId } = request.params;
      const by = changedBy(request);
      const edited = await comments.edit(id, commentId, request.body.text, by);
      if (typeof edited === 'string') throw refusalOf(edited, 'edit');
      return commentRecord(edited, by);
    },
  );

  app.delete(
    `/api/${path}/:id/comments/:commentId`,
    {
      config: write,
      schema: {
        operationId: `delete${name}Comment`,
        summary: `Delete a comment on ${noun}`,
        description:
          'Its author and administrators may delete a comment. It stays in the list without its text, which the audit log keeps.',
        tags,
        params: oneParams,
        response: {
          204: z.undefined().describe('The comment is deleted.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id, commentId } = request.params;
      const refusal = await comments.remove(id, commentId, changedBy(request));
      if (refusal !== undefined) throw refusalOf(refusal, 'delete');
      return reply.code(204).send();
    },
  );
}

/** Returns the 404 for an object that does not exist. */
export function missing(noun: string) {
  return apiError('not_found', `there is no such ${noun.replace('a ', '')}`);
}

function refusalOf(refusal: CommentRefusal, verb: string) {
  return refusal === 'not_own'
    ? apiError('forbidden', `only the author may ${verb} a comment`)
    : apiError('not_found', 'there is no such comment, or it was deleted');
}

function placeOf(cursor: string): [Date, string] {
  try {
    const [at = '', id = ''] = decodeCursor(cursor, [SAVED_AT, /^cmt_[0-9a-f]{32}$/]);
    return [new Date(at), id];
  } catch (error) {
    return refuseQuery(error);
  }
}
