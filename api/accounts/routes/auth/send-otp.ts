import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { emailSchema } from '#schemas/api/account-fields.ts';
import type { Accounts } from '../../accounts.ts';

const MESSAGE = 'If this address can register, a code is on its way to it.';

/**
 * POST /api/auth/send-otp: mails a code for the registration of an address. The response has the same bytes for every
 * address.
 */
export function sendOtpRoute(app: ApiServer, { accounts }: { readonly accounts: Pick<Accounts, 'requestCode'> }): void {
  app.post(
    '/api/auth/send-otp',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'sendCode',
        summary: 'Request a registration code',
        description:
          'Mails a code of six digits to an address that may register; it is valid for five minutes. The response does not reveal whether the address is registered. Limits: five per hour and e-mail address, twenty per hour and IP address.',
        tags: ['accounts'],
        body: z.strictObject({ email: emailSchema }),
        response: {
          200: z.object({ message: z.string().meta({ example: MESSAGE }) }).describe('The request was accepted.'),
          ...errorResponses(400, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      refuseWith(await accounts.requestCode(request.body.email, originOf(request)));
      return { message: MESSAGE };
    },
  );
}
