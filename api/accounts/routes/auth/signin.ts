import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { localPath } from '#schemas/api/return-path.ts';
import type { OAuthSignIn } from '../../oauth/sign-in.ts';
import type { PendingCookie } from './oauth-cookie.ts';
import { inBothForms } from './oauth-responses.ts';
import { refuseSignIn } from './refuse-sign-in.ts';

export const providerParams = z.strictObject({
  provider: z.string().max(32).describe('id of an enabled provider').meta({ example: 'idp' }),
});

/**
 * GET /api/auth/signin/:provider: redirects the browser to a provider, with a cookie that binds the response to this
 * browser.
 */
export function signInWithProviderRoute(
  app: ApiServer,
  { oauth, pendingCookie }: { readonly oauth: OAuthSignIn; readonly pendingCookie: PendingCookie },
): void {
  app.get(
    '/api/auth/signin/:provider',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'startProviderSignIn',
        summary: 'Sign in with a provider',
        description:
          'Redirects to the provider. The browser gets a cookie for ten minutes, which the callback requires. Only the sign-in that was begun last can be completed.',
        tags: ['accounts'],
        params: providerParams,
        querystring: z.strictObject({
          returnTo: z
            .string()
            .refine((path) => localPath(path) !== undefined, 'must be a path of this server')
            .optional()
            .describe(
              'path of this server to return to after the sign-in; default `/`. Paths of the sign-in itself are refused',
            )
            .meta({ example: '/dashboard' }),
        }),
        response: {
          302: z.null().describe('Redirects to the provider.'),
          ...errorResponses(400, 404, 429),
          ...inBothForms(errorResponses(503)),
        },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const begun = await oauth.begin(provider, request.query.returnTo);
      if (begun === undefined) throw apiError('not_found', 'there is no such provider', 'provider');
      if (begun.kind === 'refused') return refuseSignIn(request, reply, begun, provider);
      pendingCookie.set(reply, begun.sealed);
      return reply.redirect(begun.location, 302);
    },
  );
}
