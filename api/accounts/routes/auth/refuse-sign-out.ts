import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '#api/http/api-error.ts';
import { sendPage } from '#api/http/pages/oauth-page.ts';
import { wantsPage } from '#api/http/wants-page.ts';
import type { RefusedSignIn } from '../../oauth/refused-sign-in.ts';
import { refuseSignIn } from './refuse-sign-in.ts';

const MESSAGE =
  'this sign-out cannot be completed: the message of the identity provider is not valid, has expired or was used already';

/**
 * Responds as `refuseSignIn`, but to a rejected logout message of a provider. The page warns the user that sessions may
 * still be open.
 */
export function refuseSignOut(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: RefusedSignIn,
  provider: string,
): FastifyReply {
  if (refused.refusal !== 'start-over') return refuseSignIn(request, reply, refused, provider);
  const error = apiError('invalid_value', MESSAGE);
  if (!wantsPage(request)) throw error;
  return sendPage(reply.code(error.statusCode), {
    en: {
      title: 'Sign-out not completed',
      text: [
        `${MESSAGE[0]?.toUpperCase()}${MESSAGE.slice(1)}.`,
        'Your sessions may still be open. Sign out in Trapline and at the identity provider.',
        `Request: ${request.id}`,
      ],
      links: [{ href: '/', text: 'Open Trapline' }],
    },
    de: {
      title: 'Abmeldung nicht abgeschlossen',
      text: [
        'Diese Abmeldung kann nicht abgeschlossen werden: Die Nachricht des Identity-Providers ist ungültig, abgelaufen oder schon verwendet.',
        'Ihre Sitzungen können noch offen sein. Melden Sie sich in Trapline und beim Identity-Provider ab.',
        `Anfrage: ${request.id}`,
      ],
      links: [{ href: '/', text: 'Trapline öffnen' }],
    },
  });
}
