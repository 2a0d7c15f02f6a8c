import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { emailSchema } from '#schemas/api/account-fields.ts';
import type { Accounts } from '../../accounts.ts';

const MESSAGE = 'If this address has an account, a link is on its way to it.';

/** POST /api/auth/forgot-password: mails a link that sets a new password. The response has the same bytes for every address. */
export function forgotPasswordRoute(
  app: ApiServer,
  { accounts }: { readonly accounts: Pick<Accounts, 'requestReset'> },
): void {
  app.post(
    '/api/auth/forgot-password',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset',
        description:
          'Mails a link to `/auth/reset-password`, valid once and for an hour. The response does not reveal whether the address has an account. Limits: five per hour and e-mail address, twenty per hour and IP address.',
        tags: ['accounts'],
        body: z.strictObject({ email: emailSchema }),
        response: {
          200: z.object({ message: z.string().meta({ example: MESSAGE }) }).describe('The request was accepted.'),
          ...errorResponses(400, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      refuseWith(await accounts.requestReset(request.body.email, originOf(request)));
      return { message: MESSAGE };
    },
  );
}
