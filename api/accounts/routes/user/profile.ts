import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { usernameSchema } from '#schemas/api/account-fields.ts';
import { imageSchema, profileSchema } from '#schemas/api/profile.ts';
import type { Accounts } from '../../accounts.ts';
import { profileRecord } from '../../records/profile-record.ts';
import { findProfile } from '../../tables/users.ts';

export interface ProfileRoutesDeps {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'updateProfile'>;
}

/** The account of the caller: GET /api/user/data, POST /api/user/update. */
export function profileRoutes(app: ApiServer, { database, accounts }: ProfileRoutesDeps): void {
  const config = { access: { by: 'session' } } as const;
  const tags = ['accounts'];

  app.get(
    '/api/user/data',
    {
      config,
      schema: {
        operationId: 'getProfile',
        summary: 'Read your profile',
        description: 'The account of the session, without secrets.',
        tags,
        response: { 200: profileSchema.describe('The account.'), ...errorResponses(401, 429, 503) },
      },
    },
    async ({ caller }) => {
      const user = await findProfile(database, sessionOf(caller).userId);
      if (user === undefined) throw apiError('unauthorized', 'a session is needed');
      return profileRecord(user);
    },
  );

  app.post(
    '/api/user/update',
    {
      config,
      schema: {
        operationId: 'changeProfile',
        summary: 'Change your profile',
        description: 'Changes name and picture. All other fields, such as `role` and `password`, are rejected.',
        tags,
        body: z.strictObject({
          username: usernameSchema.optional(),
          image: imageSchema.nullable().optional().describe('https URL of a picture; null removes it'),
        }),
        response: {
          200: profileSchema.describe('The changed account.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const { username, image } = request.body;
      const change = { ...(username === undefined ? {} : { username }), ...(image === undefined ? {} : { image }) };
      const result = await accounts.updateProfile(sessionOf(request.caller), change, originOf(request));
      if (result.kind === 'username-taken') throw apiError('conflict', 'this name is taken', 'username');
      if (result.kind === 'unknown') throw apiError('unauthorized', 'a session is needed');
      return profileRecord(result.user);
    },
  );
}
