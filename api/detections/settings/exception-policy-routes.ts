import { actorOf, type Caller, mayUse } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import { exceptionPolicyChangeSchema, exceptionPolicySchema } from '#schemas/api/exception-requests.ts';
import { type ExceptionPolicyRow, readExceptionPolicy } from '../tables/exception-policy.ts';
import type { ExceptionRequests } from './exception-requests.ts';

export interface ExceptionPolicyRoutesDeps {
  readonly database: Database;
  readonly exceptionRequests: ExceptionRequests;
}

const tags = ['detection service'];

/** GET and PATCH /api/exceptions/policy: whether analysts create exceptions or request them. */
export function exceptionPolicyRoutes(
  app: ApiServer,
  { database, exceptionRequests }: ExceptionPolicyRoutesDeps,
): void {
  app.get(
    '/api/exceptions/policy',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        operationId: 'getExceptionPolicy',
        summary: 'Get the policy of exceptions',
        description: 'Whether analysts create exceptions or request them, and the permissions of the caller.',
        tags,
        response: { 200: exceptionPolicySchema.describe('The policy.'), ...errorResponses(401, 403, 429, 503) },
      },
    },
    async ({ caller }, reply) => {
      const row = await readExceptionPolicy(database);
      reply.header('etag', entityTag(row.version));
      return policyFor(row, caller);
    },
  );

  app.patch(
    '/api/exceptions/policy',
    {
      config: { access: { by: 'key-or-session', scope: 'admin' } },
      schema: {
        operationId: 'changeExceptionPolicy',
        summary: 'Change the policy of exceptions',
        description:
          'Sets whether analysts create exceptions themselves or request them. Open requests stay open. With the header If-Match, the change fails with 412 if the policy changed since it was read. Audited.',
        tags,
        headers: ifMatchHeaders('policy'),
        body: exceptionPolicyChangeSchema,
        response: {
          200: exceptionPolicySchema.describe('The changed policy; the header ETag contains its ETag.'),
          ...errorResponses(400, 401, 403, 412, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const row = await exceptionRequests.setPolicy(request.body.analysts, {
        actor: actorOf(request.caller),
        origin: originOf(request),
        ifMatch: request.headers['if-match'],
      });
      if (row === undefined) throw changedSinceRead();
      reply.header('etag', entityTag(row.version));
      return policyFor(row, request.caller);
    },
  );
}

function policyFor({ analysts, version, changedAt, changedBy }: ExceptionPolicyRow, caller: Caller | undefined) {
  const admin = caller !== undefined && mayUse(caller, 'admin');
  const writes = caller !== undefined && mayUse(caller, 'detections:write');
  return {
    analysts,
    mayCreate: admin || (writes && analysts === 'create'),
    mayDecide: admin,
    etag: entityTag(version),
    changedAt: changedAt.toISOString(),
    changedBy,
  };
}
