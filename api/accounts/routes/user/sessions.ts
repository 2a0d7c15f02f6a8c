import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { sessionIdSchema, sessionSchema } from '#schemas/api/sessions.ts';
import type { Accounts } from '../../accounts.ts';
import { sessionsOf } from '../../tables/sessions.ts';

export interface SessionRoutesDeps {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'endSessions'>;
}

/** Sessions of the caller: GET and DELETE /api/user/sessions, DELETE /api/user/sessions/:id. */
export function sessionRoutes(app: ApiServer, { database, accounts }: SessionRoutesDeps): void {
  const config = { access: { by: 'session' } } as const;
  const tags = ['accounts'];

  app.get(
    '/api/user/sessions',
    {
      config,
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description: 'Active sessions, newest first.',
        tags,
        response: {
          200: z.object({ data: z.array(sessionSchema) }).describe('The sessions.'),
          ...errorResponses(401, 429, 503),
        },
      },
    },
    async ({ caller }) => {
      const { userId, sessionId } = sessionOf(caller);
      const data = (await sessionsOf(database, userId)).map(({ id, createdAt, expiresAt, ip, userAgent }) => ({
        id,
        current: id === sessionId,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        ip,
        userAgent,
      }));
      return { data };
    },
  );

  app.delete(
    '/api/user/sessions',
    {
      config,
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End your other sessions',
        description: 'Ends all your sessions except the current one.',
        tags,
        response: {
          200: z
            .object({ ended: z.number().describe('Number of ended sessions').meta({ example: 2 }) })
            .describe('The sessions have ended.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async (request) => ({
      ended: await accounts.endSessions.others(sessionOf(request.caller), originOf(request)),
    }),
  );

  app.delete(
    '/api/user/sessions/:id',
    {
      config,
      schema: {
        operationId: 'endSession',
        summary: 'End one of your sessions',
        description: 'Its cookie becomes invalid, and its live feeds are closed.',
        tags,
        params: z.strictObject({ id: sessionIdSchema }),
        response: {
          204: z.null().describe('The session has ended.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const ended = await accounts.endSessions.one(sessionOf(request.caller), request.params.id, originOf(request));
      if (!ended) throw apiError('not_found', 'you have no such session', 'id');
      return reply.code(204).send(null);
    },
  );
}
