import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { sendPage } from '#api/http/pages/oauth-page.ts';
import { wantsPage } from '#api/http/wants-page.ts';
import { roleSchema } from '#schemas/api/roles.ts';
import type { OAuthSignIn } from '../../oauth/sign-in.ts';
import { type SessionCookie, sessionCookieLine } from '../../sessions/session-cookie.ts';
import type { PendingCookie } from './oauth-cookie.ts';
import { inBothForms, jsonOrPage } from './oauth-responses.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { secondStepCookie } from './second-factor/second-step-cookie.ts';
import { providerParams } from './signin.ts';

const welcomeSchema = z
  .object({
    user: z.object({
      id: z.string(),
      username: z.string(),
      email: z.string(),
      role: roleSchema,
    }),
    apiKey: z.string().describe('`<keyId>.<secret>`; it cannot be read again'),
    apiKeyId: z.string().describe('names the key in lists').meta({ example: 'tl_4Yb0dWn1Kq7x' }),
    returnTo: z.string().describe('path to go on to').meta({ example: '/dashboard' }),
  })
  .describe('A new user: the session is open, and this is the only time that the default key is shown.');

/**
 * GET /api/auth/callback/:provider: where providers send browsers back to. Known users are signed in and sent on. A new user is shown the
 * default key in this answer and nowhere else: it is in no address, no cookie and no store, and to load the page again is a replay.
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

      const { opened, user, key } = completed;
      pendingCookie.clear(plain);
      if (opened.kind === 'session')
        reply.header('set-cookie', sessionCookieLine(sessionCookie, opened.session.token, opened.session.expiresAt));
      else secondStepCookie(sessionCookie).set(plain, opened.pending);
      // The page of the sign-in finds the step by its cookie, and goes on to where the sign-in was to return.
      const returnTo = opened.kind === 'session' ? completed.returnTo : '/sign-in';
      if (key === undefined) return reply.redirect(returnTo, 302);
      const { id, username, email, role } = user;
      if (!wantsPage(request)) {
        return reply
          .code(200)
          .type('application/json; charset=utf-8')
          .send({ user: { id, username, email, role }, apiKey: key.apiKey, apiKeyId: key.keyId, returnTo });
      }
      return sendPage(plain.code(200), {
        title: 'Welcome',
        text: [
          opened.kind === 'session'
            ? `You are signed in as ${username}.`
            : `Your account is ${username}. It needs a second factor before you are signed in.`,
          'This is your API key. It is shown only once: store it in a password manager. You can revoke it and create others at any time.',
        ],
        secret: key.apiKey,
        links: [{ href: returnTo, text: 'Continue' }],
      });
    },
  );
}
