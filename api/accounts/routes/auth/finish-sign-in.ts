import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '#api/http/pages/oauth-page.ts';
import { wantsPage } from '#api/http/wants-page.ts';
import type { RefusedSignIn } from '../../oauth/refused-sign-in.ts';
import type { CompletedSignIn } from '../../oauth/sign-in.ts';
import { type SessionCookie, sessionCookieLine } from '../../sessions/session-cookie.ts';
import { secondStepCookie } from './second-factor/second-step-cookie.ts';

/**
 * Responds to a provider sign-in with the session, or with the step that remains. Known users are redirected. A new
 * user sees the default key only in this response: it is in no URL, cookie or store, and reloading the page is a
 * replay.
 */
export function finishSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { opened, user, key, returnTo: wanted }: Exclude<CompletedSignIn, RefusedSignIn>,
  sessionCookie: SessionCookie,
): FastifyReply {
  if (opened.kind === 'session')
    reply.header('set-cookie', sessionCookieLine(sessionCookie, opened.session.token, opened.session.expiresAt));
  else secondStepCookie(sessionCookie).set(reply, opened.pending);
  // The sign-in page finds the remaining step by its cookie, and then continues to the requested page.
  const returnTo = opened.kind === 'session' ? wanted : '/sign-in';
  if (key === undefined) return reply.redirect(returnTo, 302);
  const { id, username, email, role } = user;
  if (!wantsPage(request)) {
    return reply
      .code(200)
      .type('application/json; charset=utf-8')
      .send({ user: { id, username, email, role }, apiKey: key.apiKey, apiKeyId: key.keyId, returnTo });
  }
  return sendPage(reply.code(200), {
    en: {
      title: 'Welcome',
      text: [
        opened.kind === 'session'
          ? `You are signed in as ${username}.`
          : `Your account is ${username}. It needs a second factor before you are signed in.`,
        'This is your API key. It is shown only once: store it in a password manager. You can revoke it and create others at any time.',
      ],
      secret: key.apiKey,
      links: [{ href: returnTo, text: 'Continue' }],
    },
    de: {
      title: 'Willkommen',
      text: [
        opened.kind === 'session'
          ? `Sie sind als ${username} angemeldet.`
          : `Ihr Konto heißt ${username}. Es braucht einen zweiten Faktor, bevor Sie angemeldet sind.`,
        'Das ist Ihr API-Schlüssel. Er wird nur einmal angezeigt: Bewahren Sie ihn in einem Passwort-Manager auf. Sie können ihn jederzeit widerrufen und weitere erstellen.',
      ],
      secret: key.apiKey,
      links: [{ href: returnTo, text: 'Weiter' }],
    },
  });
}
