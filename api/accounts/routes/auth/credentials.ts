import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import { emailSchema } from '#schemas/api/account-fields.ts';
import { profileSchema } from '#schemas/api/profile.ts';
import { secondStepSchema } from '#schemas/api/second-factor.ts';
import type { Accounts } from '../../accounts.ts';
import { profileRecord } from '../../records/profile-record.ts';
import { type SessionCookie, sessionCookieLine } from '../../sessions/session-cookie.ts';
import { secondStepCookie } from './second-factor/second-step-cookie.ts';

export interface CredentialsDeps {
  readonly accounts: Pick<Accounts, 'signIn'>;
  readonly sessionCookie: SessionCookie;
}

/** POST /api/auth/callback/credentials: sign-in with a password. All refusals have the same 401. */
export function credentialsRoute(app: ApiServer, { accounts, sessionCookie }: CredentialsDeps): void {
  const stepCookie = secondStepCookie(sessionCookie);
  app.post(
    '/api/auth/callback/credentials',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with a password',
        description:
          'Opens a session and sets its cookie. An unknown address, a wrong password, a locked and a disabled account get the same 401. Five failures lock an account for 15 minutes. Limits: twenty attempts in ten minutes per IP address, ten per e-mail address. An IP address with failures at fifty e-mail addresses in an hour is refused, even if other attempts succeed. An account with a second factor, or whose role requires one, gets 202 and continues at /api/auth/second-factor.',
        tags: ['accounts'],
        body: z.strictObject({
          email: emailSchema,
          password: z.string().min(1).max(128).describe('Password').meta({ example: 'otter-lamp-quarry-77' }),
        }),
        response: {
          200: z.object({ user: profileSchema }).describe('Signed in; the cookie is in `set-cookie`.'),
          202: z
            .object({ secondFactor: secondStepSchema })
            .describe('The password is correct and a second factor is needed; no session is open.'),
          ...errorResponses(400, 401, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const result = await accounts.signIn(email, password, originOf(request));
      if (result.kind === 'limited') refuseWith(result.refusal);
      if (result.kind === 'second-step') {
        const { step, expiresAt } = result.pending;
        stepCookie.set(reply, result.pending);
        return reply.code(202).send({ secondFactor: { step, expiresAt: expiresAt.toISOString() } });
      }
      if (result.kind !== 'signed-in') throw apiError('unauthorized', 'wrong e-mail or password');
      const { session, user } = result;
      reply.header('set-cookie', sessionCookieLine(sessionCookie, session.token, session.expiresAt));
      return { user: profileRecord(user) };
    },
  );
}
