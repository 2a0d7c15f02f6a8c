import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { linkTokenSchema } from '#schemas/api/account-fields.ts';
import type { Accounts } from '../../accounts.ts';

/** POST /api/auth/confirm-email: changes an e-mail address with the token of a mailed link. */
export function confirmEmailRoute(
  app: ApiServer,
  { accounts }: { readonly accounts: Pick<Accounts, 'confirmEmailChange'> },
): void {
  app.post(
    '/api/auth/confirm-email',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'confirmEmail',
        summary: 'Confirm a new e-mail address',
        description:
          'Consumes the token of the link that POST /api/user/email sent to the new address. Reset links of the account become invalid, and the old address is notified.',
        tags: ['accounts'],
        body: z.strictObject({ token: linkTokenSchema('mT4qW8yR1Zpn5rD7hXvB3sKc9eLfGaU2oJiN6uVtSxE') }),
        response: {
          200: z
            .object({ email: z.string().describe('New address of the account').meta({ example: 'ada@example.org' }) })
            .describe('The address is changed.'),
          ...errorResponses(400, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const email = await accounts.confirmEmailChange(request.body.token, originOf(request));
      if (email === undefined)
        throw apiError('invalid_value', 'this link is invalid or has expired: request a new one', 'token');
      return { email };
    },
  );
}
