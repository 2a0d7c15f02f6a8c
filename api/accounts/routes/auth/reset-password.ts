import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { linkTokenSchema, passwordSchema } from '#schemas/api/account-fields.ts';
import type { Accounts } from '../../accounts.ts';
import { WEAKNESS_TEXTS } from '../../passwords/password-policy.ts';

const MESSAGE =
  'Password set. All sessions have ended. API keys still work: sign in, and revoke those you do not recognise.';

/**
 * POST /api/auth/reset-password: sets a new password with the token of a mailed link. POST …/check: whether the link is
 * still valid.
 */
export function resetPasswordRoute(
  app: ApiServer,
  { accounts }: { readonly accounts: Pick<Accounts, 'resetPassword' | 'isResetToken'> },
): void {
  app.post(
    '/api/auth/reset-password',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password',
        description:
          'Consumes the token of a mailed link. Ends all other links of the account, its lockout, and all its sessions. Its API keys stay valid.',
        tags: ['accounts'],
        body: z.strictObject({
          token: linkTokenSchema('qkLd1W6yP0Ztn3rB8hXvJ4sGc2eUfMaY7oKiT9uVbNw'),
          password: passwordSchema,
        }),
        response: {
          200: z.object({ message: z.string().meta({ example: MESSAGE }) }).describe('The password is set.'),
          ...errorResponses(400, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const { token, password } = request.body;
      const result = await accounts.resetPassword(token, password, originOf(request));
      if (result.kind === 'reset') return { message: MESSAGE };
      if (result.kind === 'weak-password') throw apiError('invalid_value', WEAKNESS_TEXTS[result.weakness], 'password');
      throw apiError('invalid_value', 'this link is invalid or has expired: request a new one', 'token');
    },
  );

  app.post(
    '/api/auth/reset-password/check',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'checkResetLink',
        summary: 'Check a reset link',
        description:
          'Whether the token of a mailed link is valid. It is invalid after this or another link of the account was used, and an hour after the mail. The check does not consume the token.',
        tags: ['accounts'],
        body: z.strictObject({ token: linkTokenSchema('qkLd1W6yP0Ztn3rB8hXvJ4sGc2eUfMaY7oKiT9uVbNw') }),
        response: {
          200: z.object({ valid: z.boolean().meta({ example: true }) }).describe('The result of the check.'),
          ...errorResponses(400, 413, 415, 429, 503),
        },
      },
    },
    async ({ body: { token } }) => ({ valid: await accounts.isResetToken(token) }),
  );
}
