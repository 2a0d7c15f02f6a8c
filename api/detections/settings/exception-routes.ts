import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { decodeCursor, encodeCursor } from '#analytics/clickhouse/read-models/cursor.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import { previewException } from '#analytics/clickhouse/read-models/exception-preview.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { namesInAudit } from '#api/audit/tables/audit-names.ts';
import { actorOf, mayUse } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { DEFAULT_LIMIT, PAGING } from '#api/http/queries/list-query.ts';
import { queryFlagOr } from '#api/http/queries/query-values.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  createdExceptionSchema,
  exceptionIdSchema,
  exceptionListSchema,
  exceptionPreviewRequestSchema,
  exceptionPreviewSchema,
  exceptionRequestSchema,
  type exceptionSchema,
} from '#schemas/api/exceptions.ts';
import { type ExceptionRow, listExceptions } from '../tables/detection-exceptions.ts';
import { readExceptionPolicy } from '../tables/exception-policy.ts';
import { draftException, draftFrom, type ExceptionDraft, type Exceptions } from './exceptions.ts';
import { refuseInvalid } from './rule-change-route.ts';

export interface ExceptionRoutesDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** Settings of the rules file. */
  readonly base: DetectionSettings;
  readonly exceptions: Exceptions;
}

const READ = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
/** Analysts need the permission of the policy. */
const WRITE = { access: { by: 'key-or-session', scope: 'detections:write', or: 'admin' } } as const;
const ADMIN = { access: { by: 'key-or-session', scope: 'admin' } } as const;
const tags = ['detection service'];
const WRITE_ERRORS = errorResponses(400, 401, 403, 404, 413, 415, 429, 503);
const EXCEPTION_ID = /^exc_[0-9a-f]{32}$/;
const SAVED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * GET and POST /api/exceptions, POST /api/exceptions/preview, DELETE /api/exceptions/{id}.
 * Long: each route includes its description.
 */
export function exceptionRoutes(app: ApiServer, { clickhouse, database, base, exceptions }: ExceptionRoutesDeps): void {
  app.get(
    '/api/exceptions',
    {
      config: READ,
      schema: {
        operationId: 'listExceptions',
        summary: 'List exceptions',
        description: 'Exceptions with author and reason, newest first. Includes those of the rules file.',
        tags,
        querystring: z.strictObject({
          ended: queryFlagOr(false).describe('Includes ended exceptions'),
          ...PAGING,
        }),
        response: {
          200: exceptionListSchema.describe('Exceptions.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ query: { ended, limit = DEFAULT_LIMIT, cursor } }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor, EXCEPTION_ID);
      const rows = await listExceptions(database, { ended, limit: limit + 1, after });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: await recordsOf(database, page),
        file: base.exceptions.map((exception) => ({ ...exception })),
        limit,
        nextCursor:
          rows.length > limit && last !== undefined ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
      };
    },
  );

  app.post(
    '/api/exceptions',
    {
      config: WRITE,
      schema: {
        operationId: 'createException',
        summary: 'Create an exception',
        description:
          'Silences present open detections and future ones. Silenced detections are stored with the id of the exception, but not announced. Closed detections do not change. With only `detection`, the exception is derived from that detection. Applies within seconds. For administrators, and for analysts if the exception policy is `create`: otherwise they get a 403 with the code `request_required`. Audited.',
        tags,
        body: exceptionRequestSchema,
        response: {
          201: createdExceptionSchema.describe('The exception.'),
          ...WRITE_ERRORS,
          ...errorResponses(409),
        },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const mayCreate =
        (caller !== undefined && mayUse(caller, 'admin')) ||
        (await readExceptionPolicy(database)).analysts === 'create';
      if (!mayCreate)
        throw apiError('request_required', 'only administrators create exceptions here: request it instead');
      const { detection, ...draft } = request.body;
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const filled = await filledDraft(clickhouse, draft, detection);
      const created = await exceptions.create(filled, by, detection).catch(refuseInvalid);
      const { silenced, ...row } = created;
      const [record] = (await recordsOf(database, [row])) as [ExceptionRecord];
      return reply
        .code(201)
        .header('location', `/api/exceptions/${created.id}`)
        .send({ ...record, silenced });
    },
  );

  app.post(
    '/api/exceptions/preview',
    {
      config: READ,
      schema: {
        operationId: 'previewException',
        summary: 'Preview an exception',
        description:
          'Returns which of the newest 100,000 stored detections the exception would have silenced; nothing is changed. A program that the rules know by a name other than its process and file is not recognised.',
        tags,
        body: exceptionPreviewRequestSchema,
        response: {
          200: exceptionPreviewSchema.describe('The detections that it would have silenced.'),
          ...WRITE_ERRORS,
        },
      },
    },
    async ({ body: { detection, ...draft } }) => {
      const filled = await filledDraft(clickhouse, { ...draft, reason: 'preview' }, detection);
      const exception = await Promise.resolve()
        .then(() => draftException(filled))
        .catch(refuseInvalid);
      const { examples, ...counts } = await previewException(clickhouse, exception).catch(refuseQuery);
      const { id: _, reason: __, ...scope } = exception;
      return { exception: scope, ...counts, examples: examples.map((example) => ({ ...example })) };
    },
  );

  app.delete(
    '/api/exceptions/:id',
    {
      config: ADMIN,
      schema: {
        operationId: 'deleteException',
        summary: 'End an exception',
        description:
          'Within seconds, the exception no longer silences detections. Silenced detections that are not closed become open again, and are announced when they grow. The exception stays in the list of ended exceptions. Audited.',
        tags,
        params: z.strictObject({ id: exceptionIdSchema }),
        response: {
          204: z.undefined().describe('The exception has ended.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      if (!(await exceptions.end(request.params.id, by)))
        throw apiError('not_found', 'there is no such exception, or it was removed');
      return reply.code(204).send();
    },
  );
}

/** Returns the draft, completed from the detection that it refers to. Throws a 404 for an unknown detection. */
export async function filledDraft(
  clickhouse: ClickHouse,
  draft: ExceptionDraft,
  detectionId: string | undefined,
): Promise<ExceptionDraft> {
  if (detectionId === undefined) return draft;
  const detection = await getDetection(clickhouse, detectionId);
  if (detection === undefined) throw apiError('not_found', 'there is no such detection', 'detection');
  return draftFrom(draft, detection);
}

/** Parses a cursor of a list, newest first, into a time and an id of this form. Throws a 400 for an invalid cursor. */
export function placeOf(cursor: string, idForm: RegExp): [Date, string] {
  try {
    const [at = '', id = ''] = decodeCursor(cursor, [SAVED_AT, idForm]);
    return [new Date(at), id];
  } catch (error) {
    return refuseQuery(error);
  }
}

type ExceptionRecord = z.output<typeof exceptionSchema>;

/** Adds the present names of the users that created and ended the exceptions. */
async function recordsOf(database: Database, rows: readonly ExceptionRow[]): Promise<ExceptionRecord[]> {
  const names = await namesInAudit(
    database,
    rows.map(({ createdBy, endedBy }) => ({ actor: createdBy, target: endedBy ?? '' })),
  );
  return rows.map(({ createdAt, endedAt, detectionId, requestId, landed: _landed, ...row }) => ({
    ...row,
    createdByName: names.get(row.createdBy) ?? null,
    endedByName: names.get(row.endedBy ?? '') ?? null,
    detection: detectionId,
    request: requestId,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }));
}
