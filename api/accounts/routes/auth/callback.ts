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
        summary: 'Complete a provider sign-in',
        description:
          'The redirect URI of providers. Valid once, and only in the browser that began the sign-in. A known user is redirected to the requested page, or to `/sign-in` if a second factor is needed. A new user gets the default API key: as a page if `Accept` contains text/html, otherwise as JSON.',
        tags: ['accounts'],
        params: providerParams,
        querystring: z
          .looseObject({
            state: z.string().max(512).optional().describe('unchanged from the authorization request'),
            code: z.string().max(4096).optional().describe('code to exchange for a token'),
            error: z.string().max(512).optional().describe('error code of the provider (RFC 6749, 4.1.2.1)'),
            iss: z.string().max(2048).optional().describe('issuer of the response (RFC 9207)'),
          })
          .describe('Parameters of the provider. Additional parameters are ignored.'),
        response: {
          200: jsonOrPage(welcomeSchema),
          302: z.null().describe('Signed in; redirects to the requested page.'),
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
