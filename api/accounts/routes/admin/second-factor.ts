import { z } from 'zod';
import { actorOf, type Caller, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { administeredFactorsSchema } from '#schemas/api/second-factor.ts';
import { userIdSchema } from '#schemas/api/users.ts';
import type { ResetSecondFactor } from '../../admin/reset-second-factor.ts';
import { secondFactorsOf } from '../../tables/second-factors.ts';
import { findUser } from '../../tables/user-administration.ts';

/** Second factors of users, for administrators: GET and DELETE /api/admin/users/:id/second-factor. */
export function adminSecondFactorRoutes(
  app: ApiServer,
  { database, resetSecondFactor }: { readonly database: Database; readonly resetSecondFactor: ResetSecondFactor },
): void {
  const config = { access: { by: 'admin' } } as const;
  const tags = ['administration'];
  const params = z.strictObject({ id: userIdSchema });

  app.get(
    '/api/admin/users/:id/second-factor',
    {
      config,
      schema: {
        operationId: 'getSecondFactorsOfUser',
        summary: 'Read the second factors of a user',
        description: 'Which second factors the account has, without their secrets.',
        tags,
        params,
        response: {
          200: administeredFactorsSchema.describe('The second factors.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async ({ params: { id } }) => {
      if ((await findUser(database, id)) === undefined) throw apiError('not_found', 'there is no such user');
      return secondFactorsOf(database, id);
    },
  );

  app.delete(
    '/api/admin/users/:id/second-factor',
    {
      config,
      schema: {
        operationId: 'resetSecondFactorOfUser',
        summary: 'Remove the second factors of a user',
        description:
          'For a user who has lost them: removes the authenticator app, passkeys and recovery codes, and ends all sessions. If a mail server is configured, the user is notified by mail. The password and API keys stay valid. Administrators change their own second factors in their profile (403).',
        tags,
        params,
        response: {
          204: z.null().describe('The second factors are removed.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const userId = userOf(request.caller as Caller);
      await resetSecondFactor(request.params.id, { actor: actorOf(request.caller), userId, origin: originOf(request) });
      return reply.code(204).send(null);
    },
  );
}
