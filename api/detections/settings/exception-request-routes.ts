import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { encodeCursor } from '#analytics/clickhouse/read-models/cursor.ts';
import { actorOf, type Caller, mayUse, principalOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { DEFAULT_LIMIT, PAGING } from '#api/http/queries/list-query.ts';
import { queryChoices } from '#api/http/queries/query-list.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  approvedRequestSchema,
  EXCEPTION_REQUEST_STATES,
  exceptionRequestIdSchema,
  exceptionRequestListSchema,
  newExceptionRequestSchema,
  requestDecisionSchema,
  requestedExceptionSchema,
} from '#schemas/api/exception-requests.ts';
import { countOpenRequests, type ExceptionRequestRow, listExceptionRequests } from '../tables/exception-requests.ts';
import type { ExceptionRequests, RequestParty } from './exception-requests.ts';
import { filledDraft, placeOf } from './exception-routes.ts';
import { refuseInvalid } from './rule-change-route.ts';

export interface ExceptionRequestRoutesDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly exceptionRequests: ExceptionRequests;
}

const READ = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const WRITE = { access: { by: 'key-or-session', scope: 'detections:write' } } as const;
const ADMIN = { access: { by: 'key-or-session', scope: 'admin' } } as const;
const tags = ['detection service'];
const params = z.strictObject({ id: exceptionRequestIdSchema });
const DECISION_ERRORS = errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503);
const REQUEST_ID = /^exr_[0-9a-f]{32}$/;

/**
 * GET and POST /api/exception-requests, DELETE /api/exception-requests/{id}, and POST …/approve and …/reject.
 * Long: each route includes its description.
 */
export function exceptionRequestRoutes(
  app: ApiServer,
  { clickhouse, database, exceptionRequests }: ExceptionRequestRoutesDeps,
): void {
  app.get(
    '/api/exception-requests',
    {
      config: READ,
      schema: {
        operationId: 'listExceptionRequests',
        summary: 'List requests for exceptions',
        description:
          'Requests of analysts, with the decisions, newest first. `waiting` is the number of requests that the caller can decide.',
        tags,
        querystring: z.strictObject({
          state: queryChoices(EXCEPTION_REQUEST_STATES).optional().describe('state, or several'),
          ...PAGING,
        }),
        response: {
          200: exceptionRequestListSchema.describe('Requests.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ caller, query: { state, limit = DEFAULT_LIMIT, cursor } }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor, REQUEST_ID);
      const rows = await listExceptionRequests(database, { states: state, limit: limit + 1, after });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const { open, own } = await countOpenRequests(database, principalOf(caller));
      return {
        data: page.map((row) => recordFor(row, caller)),
        open,
        waiting: caller !== undefined && mayUse(caller, 'admin') ? open - own : 0,
        limit,
        nextCursor:
          rows.length > limit && last !== undefined ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
      };
    },
  );

  app.post(
    '/api/exception-requests',
    {
      config: WRITE,
      schema: {
        operationId: 'requestException',
        summary: 'Request an exception',
        description:
          'Silences nothing until an administrator other than the requester approves it. The body is that of POST /api/exceptions. At most 100 open requests per account. Audited.',
        tags,
        body: newExceptionRequestSchema,
        response: {
          201: requestedExceptionSchema.describe('The request.'),
          ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { detection, ...draft } = request.body;
      const filled = await filledDraft(clickhouse, draft, detection);
      const row = await exceptionRequests.request(filled, partyOf(request), detection).catch(refuseInvalid);
      return reply
        .code(201)
        .header('location', `/api/exception-requests/${row.id}`)
        .send(recordFor(row, request.caller));
    },
  );

  app.post(
    '/api/exception-requests/:id/approve',
    {
      config: ADMIN,
      schema: {
        operationId: 'approveExceptionRequest',
        summary: 'Approve a request for an exception',
        description:
          'Creates the exception as requested. Refused with the code `own_request` for the account that requested it. Audited.',
        tags,
        params,
        body: requestDecisionSchema,
        response: { 200: approvedRequestSchema.describe('The approved request.'), ...DECISION_ERRORS },
      },
    },
    async (request) => {
      const { id } = request.params;
      const approval = exceptionRequests.approve(id, request.body.reason, partyOf(request));
      const { request: row, silenced } = await approval.catch(refuseInvalid);
      return { ...recordFor(row, request.caller), silenced };
    },
  );

  app.post(
    '/api/exception-requests/:id/reject',
    {
      config: ADMIN,
      schema: {
        operationId: 'rejectExceptionRequest',
        summary: 'Reject a request for an exception',
        description:
          'Nothing is silenced. Refused with the code `own_request` for the account that requested it. Audited.',
        tags,
        params,
        body: requestDecisionSchema,
        response: { 200: requestedExceptionSchema.describe('The rejected request.'), ...DECISION_ERRORS },
      },
    },
    async (request) => {
      const row = await exceptionRequests.reject(request.params.id, request.body.reason, partyOf(request));
      return recordFor(row, request.caller);
    },
  );

  app.delete(
    '/api/exception-requests/:id',
    {
      config: WRITE,
      schema: {
        operationId: 'withdrawExceptionRequest',
        summary: 'Withdraw a request for an exception',
        description: 'Only the requester may withdraw an open request. It stays in the list. Audited.',
        tags,
        params,
        response: {
          204: z.undefined().describe('The request is withdrawn.'),
          ...errorResponses(400, 401, 403, 404, 409, 429, 503),
        },
      },
    },
    async (request, reply) => {
      await exceptionRequests.withdraw(request.params.id, partyOf(request));
      return reply.code(204).send();
    },
  );
}

function partyOf(request: FastifyRequest): RequestParty {
  const { caller } = request;
  const username = caller?.kind === 'session' || caller?.kind === 'key' ? caller.username : null;
  return { actor: actorOf(caller), principal: principalOf(caller), username, origin: originOf(request) };
}

function recordFor(row: ExceptionRequestRow, caller: Caller | undefined) {
  const { createdAt, decidedAt, detectionId, exceptionId, requester, ...rest } = row;
  return {
    ...rest,
    detection: detectionId,
    exception: exceptionId,
    own: requester === principalOf(caller),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}
