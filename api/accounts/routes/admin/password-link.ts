import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { passwordLinkSchema, userIdSchema } from '#schemas/api/users.ts';
import type { CreatePasswordLink } from '../../admin/password-link.ts';

/** POST /api/admin/users/:id/password-link: a link by which the user sets a password, where no mail is sent or none arrives. */
export function passwordLinkRoute(
  app: ApiServer,
  { createPasswordLink }: { readonly createPasswordLink: CreatePasswordLink },
): void {
  app.post(
    '/api/admin/users/:id/password-link',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'createPasswordLink',
        summary: 'Create a password link',
        description:
          'A link by which the user sets a password, for an administrator to pass on. It is good once and for 60 minutes; the password that the user ' +
          'has stays valid until then. Who has the link can sign in as the user: the audit log shows who created it.',
        tags: ['administration'],
        params: z.strictObject({ id: userIdSchema }),
        response: {
          201: passwordLinkSchema.describe('The link; it cannot be read again.'),
          ...errorResponses(400, 401, 403, 404, 409, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const link = await createPasswordLink(request.params.id, by);
      if (link === 'no such user') throw apiError('not_found', 'there is no such user');
      if (link === 'disabled') throw apiError('conflict', 'this account is disabled: enable it first');
      return reply.code(201).send({ url: link.url, expiresAt: link.expiresAt.toISOString() });
    },
  );
}
