import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { emailSchema, linkTokenSchema, passwordSchema, usernameSchema } from '#schemas/api/account-fields.ts';
import { profileSchema } from '#schemas/api/profile.ts';
import type { Accounts } from '../../accounts.ts';
import { WEAKNESS_TEXTS } from '../../passwords/password-policy.ts';
import { profileRecord } from '../../records/profile-record.ts';
import { type SessionCookie, sessionCookieLine } from '../../sessions/session-cookie.ts';
import { secondStepCookie } from './second-factor/second-step-cookie.ts';

export interface SetUpRouteDeps {
  readonly accounts: Pick<Accounts, 'setUp'>;
  readonly sessionCookie: SessionCookie;
}

const TAKEN_TEXTS = { username: 'this name is taken', email: 'this address has an account already' } as const;

/** POST /api/auth/set-up: creates the first administrator with the token of the link that `trapline start` prints. */
export function setUpRoute(app: ApiServer, { accounts, sessionCookie }: SetUpRouteDeps): void {
  app.post(
    '/api/auth/set-up',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'setUp',
        summary: 'Create the first administrator',
        description:
          'Creates the first administrator and opens a session for it. The token is that of the link that `trapline start` prints while no administrator exists. It is valid for 30 minutes, and only until an administrator exists. A name or an address of another account is refused with 409. If administrators need a second factor, the sign-in continues at /api/auth/second-factor.',
        tags: ['accounts'],
        body: z.strictObject({
          token: linkTokenSchema('1772323200.qkLd1W6yP0Ztn3rB8hXvJ4sGc2eUfMaY7oKiT9uVbNw'),
          username: usernameSchema,
          email: emailSchema,
          password: passwordSchema,
        }),
        response: {
          201: z.object({ user: profileSchema }).describe('Created and signed in; the cookie is in `set-cookie`.'),
          ...errorResponses(400, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { token, ...wanted } = request.body;
      const result = await accounts.setUp(token, wanted, originOf(request));
      if (result.kind === 'weak-password') throw apiError('invalid_value', WEAKNESS_TEXTS[result.weakness], 'password');
      if (result.kind === 'refused')
        throw apiError('invalid_value', 'this link has expired, or an administrator already exists', 'token');
      if (result.kind === 'taken') throw apiError('conflict', TAKEN_TEXTS[result.field], result.field);
      const { opened, user } = result;
      if (opened.kind === 'session')
        reply.header('set-cookie', sessionCookieLine(sessionCookie, opened.session.token, opened.session.expiresAt));
      else secondStepCookie(sessionCookie).set(reply, opened.pending);
      return reply.code(201).send({ user: profileRecord(user) });
    },
  );
}
