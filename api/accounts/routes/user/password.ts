import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { passwordSchema } from '#schemas/api/account-fields.ts';
import type { Accounts } from '../../accounts.ts';
import { WEAKNESS_TEXTS } from '../../passwords/password-policy.ts';

/** POST /api/user/password: changes the password of the caller. */
export function passwordRoute(
  app: ApiServer,
  { accounts }: { readonly accounts: Pick<Accounts, 'changePassword'> },
): void {
  app.post(
    '/api/user/password',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Requires the current password, under the limits of sign-in: five wrong passwords lock the account for 15 minutes. All other sessions of the user end; API keys stay valid. An account without a password can set one with POST /api/auth/forgot-password.',
        tags: ['accounts'],
        body: z.strictObject({
          currentPassword: z
            .string()
            .min(1)
            .max(128)
            .describe('Current password')
            .meta({ example: 'otter-lamp-quarry-77' }),
          password: passwordSchema,
        }),
        response: {
          200: z
            .object({ sessionsEnded: z.number().describe('Number of other sessions that ended').meta({ example: 2 }) })
            .describe('The new password is set.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const { currentPassword, password } = request.body;
      const passwords = { current: currentPassword, next: password };
      const result = await accounts.changePassword(sessionOf(request.caller), passwords, originOf(request));
      if (result.kind === 'changed') return { sessionsEnded: result.sessionsEnded };
      if (result.kind === 'limited') return refuseWith(result.refusal);
      if (result.kind === 'weak-password') throw apiError('invalid_value', WEAKNESS_TEXTS[result.weakness], 'password');
      throw apiError('invalid_value', 'the current password is wrong, or the account is locked', 'currentPassword');
    },
  );
}
