import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Accounts } from '../../accounts.ts';
import { clearedSessionCookieLine, type SessionCookie } from '../../sessions/session-cookie.ts';

export interface SignOutDeps {
  readonly accounts: Pick<Accounts, 'signOut'>;
  readonly sessionCookie: SessionCookie;
}

const continueSchema = z.object({
  continueAt: z.string().describe('URL at the identity provider that ends its session and returns to the sign-in page'),
});

/** POST /api/auth/sign-out: ends the session on the server, so that a copy of the cookie is useless. */
export function signOutRoute(app: ApiServer, { accounts, sessionCookie }: SignOutDeps): void {
  app.post(
    '/api/auth/sign-out',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description:
          'Ends the session in every process, and clears its cookie. If the session at the identity provider ends too, the response contains the URL for the browser.',
        tags: ['accounts'],
        response: {
          200: continueSchema.describe('Signed out here; the browser must continue at the identity provider.'),
          204: z.undefined().describe('Signed out.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const continueAt = await accounts.signOut(sessionOf(request.caller), originOf(request));
      reply.header('set-cookie', clearedSessionCookieLine(sessionCookie));
      return continueAt === undefined ? reply.code(204).send() : reply.code(200).send({ continueAt });
    },
  );
}
