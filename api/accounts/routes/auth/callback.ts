import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { OAuthSignIn } from '../../oauth/sign-in.ts';
import type { SessionCookie } from '../../sessions/session-cookie.ts';
import { finishSignIn } from './finish-sign-in.ts';
import type { PendingCookie } from './oauth-cookie.ts';
import { inBothForms, jsonOrPage, welcomeSchema } from './oauth-responses.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { providerParams } from './signin.ts';

/**
 * GET /api/auth/callback/:provider: the redirect URI of providers. Signs in known users and redirects them; see
 * `finishSignIn` for new ones.
 */
export function callbackRoute(
  app: ApiServer,
  deps: { readonly oauth: OAuthSignIn; readonly pendingCookie: PendingCookie; readonly sessionCookie: SessionCookie },
): void {
  const { oauth, pendingCookie, sessionCookie } = deps;
  app.get(
    '/api/auth/callback/:provider',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'finishProviderSignIn',
        summary: 'Return from a provider',
        description:
          'Where a provider sends the browser back to; works once, and only in the browser that began. A known user is redirected to where ' +
          'the sign-in was to return, or to `/sign-in` when a second factor is needed. A new user gets the default API key: as a page when `Accept` names text/html, else as JSON.',
        tags: ['accounts'],
        params: providerParams,
        querystring: z
          .looseObject({
            state: z.string().max(512).optional().describe('as it was sent'),
            code: z.string().max(4096).optional().describe('to be exchanged'),
            error: z.string().max(512).optional().describe('why there is no code (RFC 6749, 4.1.2.1)'),
            iss: z.string().max(2048).optional().describe('who answers (RFC 9207)'),
          })
          .describe('What the provider says. Others than these are let through: providers add their own.'),
        response: {
          200: jsonOrPage(welcomeSchema),
          302: z.null().describe('Signed in, to where the sign-in was to return.'),
          ...errorResponses(404),
          ...inBothForms(errorResponses(400, 403, 429, 503)),
        },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const completed = await oauth.complete({
        provider,
        query: request.url.slice(request.url.indexOf('?') + 1),
        sealed: pendingCookie.read(request.headers.cookie),
        origin: originOf(request),
      });
      if (completed === undefined) throw apiError('not_found', 'there is no such provider', 'provider');
      const plain: FastifyReply = reply;
      if (completed.kind === 'refused') return refuseSignIn(request, plain, completed, provider);

      pendingCookie.clear(plain);
      return finishSignIn(request, plain, completed, sessionCookie);
    },
  );
}
