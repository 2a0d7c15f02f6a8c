import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { emailSchema, passwordSchema, usernameSchema } from '#schemas/api/account-fields.ts';
import { roleSchema } from '#schemas/api/roles.ts';
import { administeredUserSchema } from '#schemas/api/users.ts';
import type { CreateUser } from '../../admin/create-user.ts';
import { administeredUserRecord } from '../../records/user-record.ts';

/** POST /api/admin/users: creates an account, for administrators and the command line. */
export function createUserRoute(app: ApiServer, { createUser }: { readonly createUser: CreateUser }): void {
  app.post(
    '/api/admin/users',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'createUser',
        summary: 'Create an account',
        description:
          'Also permitted if registration is closed. Without a password, the user sets one with the mail for forgotten passwords, or signs in with a provider.',
        tags: ['administration'],
        body: z.strictObject({
          email: emailSchema,
          username: usernameSchema,
          role: roleSchema.default('user').describe('Role of the user'),
          password: passwordSchema.optional(),
          emailVerified: z.boolean().default(false).describe('You confirm that the address belongs to the user'),
        }),
        response: {
          201: administeredUserSchema.describe('The account.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const user = await createUser(request.body, by);
      return reply.code(201).send(administeredUserRecord(user));
    },
  );
}
