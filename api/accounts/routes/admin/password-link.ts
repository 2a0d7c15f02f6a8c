import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { passwordLinkSchema, sentPasswordLinkSchema, userIdSchema } from '#schemas/api/users.ts';
import type { CreatePasswordLink } from '../../admin/password-link.ts';
import type { SendPasswordLink } from '../../admin/send-password-link.ts';

/**
 * POST /api/admin/users/:id/password-link: returns a link by which the user sets a password, to pass on. POST …/send:
 * mails the link.
 */
export function passwordLinkRoute(
  app: ApiServer,
  {
    createPasswordLink,
    sendPasswordLink,
  }: { readonly createPasswordLink: CreatePasswordLink; readonly sendPasswordLink: SendPasswordLink },
): void {
  app.post(
    '/api/admin/users/:id/password-link',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'createPasswordLink',
        summary: 'Create a password link',
        description:
          'Creates a one-time link with which the user sets a password, for an administrator to pass on. The link is valid for 60 minutes. The current password stays valid until the user sets a new one. Anyone with the link can sign in as the user, so the audit log records its creator.',
        tags: ['administration'],
        params: z.strictObject({ id: userIdSchema }),
        response: {
          201: passwordLinkSchema.describe('The link. Only this response contains it.'),
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

  app.post(
    '/api/admin/users/:id/password-link/send',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'sendPasswordLink',
        summary: 'Send a password link by e-mail',
        description:
          'Sends a password link to the e-mail address of the user; the response does not contain it. The link is valid once, for 60 minutes after the mail is sent. Requires a mail server (otherwise 409), and counts toward the limits of POST /api/auth/forgot-password. The audit log records who sent it.',
        tags: ['administration'],
        params: z.strictObject({ id: userIdSchema }),
        response: {
          202: sentPasswordLinkSchema.describe('The mail is queued.'),
          ...errorResponses(400, 401, 403, 404, 409, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const result = await sendPasswordLink(request.params.id, by);
      switch (result.kind) {
        case 'no such user':
          throw apiError('not_found', 'there is no such user');
        case 'disabled':
          throw apiError('conflict', 'this account is disabled: enable it first');
        case 'no mail server':
          throw apiError('conflict', 'no mail server is configured: set SMTP_URL, or create a link and pass it on');
        case 'limited':
          return refuseWith(result.refusal);
        default:
          return reply.code(202).send({ email: result.email });
      }
    },
  );
}
