import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { emailSchema } from '#schemas/api/account-fields.ts';
import type { Accounts } from '../../accounts.ts';

/** POST /api/user/email: changes the e-mail address of the account of the session. */
export function emailRoute(
  app: ApiServer,
  { accounts }: { readonly accounts: Pick<Accounts, 'requestEmailChange'> },
): void {
  app.post(
    '/api/user/email',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'changeEmail',
        summary: 'Change your e-mail address',
        description:
          'Requires the password, under the limits of sign-in. With a mail server, a link is sent to the new address, and the address changes when the link is used within 60 minutes; an address of another account gets no link. Otherwise the address changes immediately and counts as not verified. An account without a password can set one with POST /api/auth/forgot-password.',
        tags: ['accounts'],
        body: z.strictObject({
          email: emailSchema,
          currentPassword: z
            .string()
            .min(1)
            .max(128)
            .describe('Password of the account')
            .meta({ example: 'otter-lamp-quarry-77' }),
        }),
        response: {
          200: z
            .object({
              state: z
                .enum(['link-sent', 'changed'])
                .describe('`link-sent`: the link in the mail to the new address completes the change')
                .meta({ example: 'link-sent' }),
            })
            .describe('The request was accepted.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const { email, currentPassword } = request.body;
      const change = { email, password: currentPassword };
      const result = await accounts.requestEmailChange(sessionOf(request.caller), change, originOf(request));
      switch (result.kind) {
        case 'limited':
          return refuseWith(result.refusal);
        case 'same':
          throw apiError('invalid_value', 'this is the address of the account', 'email');
        case 'domain-refused':
          throw apiError('invalid_value', 'addresses of this domain are not accepted', 'email');
        case 'taken':
          throw apiError('conflict', 'another account has this address', 'email');
        case 'refused':
          throw apiError('invalid_value', 'the password is wrong, or the account is locked', 'currentPassword');
        default:
          return { state: result.kind };
      }
    },
  );
}
