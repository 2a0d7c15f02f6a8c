import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { emailSchema, passwordSchema, usernameSchema } from '#schemas/api/account-fields.ts';
import { profileSchema } from '#schemas/api/profile.ts';
import type { Accounts } from '../../accounts.ts';
import { WEAKNESS_TEXTS } from '../../passwords/password-policy.ts';
import { profileRecord } from '../../records/profile-record.ts';

/** POST /api/auth/verify-otp: creates an account with a first key for a caller with the code. */
export function verifyOtpRoute(app: ApiServer, { accounts }: { readonly accounts: Pick<Accounts, 'register'> }): void {
  app.post(
    '/api/auth/verify-otp',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'registerWithCode',
        summary: 'Register with a code',
        description:
          'Creates the account and its first key; only this response contains the key. A wrong, used or expired code and a registered address get the same 400. A code permits five attempts. A taken name gets 409, and the code stays valid.',
        tags: ['accounts'],
        body: z.strictObject({
          username: usernameSchema,
          email: emailSchema,
          password: passwordSchema,
          otp: z
            .string()
            .regex(/^\d{6}$/, 'must be six digits')
            .describe('The code from the mail')
            .meta({ example: '042137' }),
        }),
        response: {
          201: z
            .object({
              apiKey: z.string().describe('`<keyId>.<secret>`. Only this response contains it'),
              apiKeyId: z.string().describe('Id of the key in lists'),
              user: profileSchema,
            })
            .describe('The account and its key.'),
          ...errorResponses(400, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const result = await accounts.register(request.body, originOf(request));
      switch (result.kind) {
        case 'registered': {
          const { apiKey, apiKeyId, user } = result;
          return reply.code(201).send({ apiKey, apiKeyId, user: profileRecord(user) });
        }
        case 'weak-password':
          throw apiError('invalid_value', WEAKNESS_TEXTS[result.weakness], 'password');
        case 'username-taken':
          throw apiError('conflict', 'this name is taken', 'username');
        case 'limited':
          refuseWith(result.refusal);
      }
      throw apiError('invalid_value', 'the code is invalid or has expired', 'otp');
    },
  );
}
