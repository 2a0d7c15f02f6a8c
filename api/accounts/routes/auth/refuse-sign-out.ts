import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, apiError } from '#api/http/api-error.ts';
import { sendPage } from '#api/http/pages/oauth-page.ts';
import type { InEachLanguage } from '#api/http/pages/page-language.ts';
import { wantsPage } from '#api/http/wants-page.ts';
import type { RefusedSignIn } from '../../oauth/refused-sign-in.ts';
import { refuseSignIn } from './refuse-sign-in.ts';

const INVALID =
  'this sign-out cannot be completed: the message of the identity provider is not valid, has expired or was used already';
const INVALID_TEXT = {
  en: 'This sign-out cannot be completed: the message of the identity provider is not valid, has expired or was used already.',
  de: 'Diese Abmeldung kann nicht abgeschlossen werden: Die Nachricht des Identity-Providers ist ungültig, abgelaufen oder schon verwendet.',
};
const MISSING_TEXT = {
  en: 'This address receives the sign-out messages of an identity provider. The request has no such message.',
  de: 'Diese Adresse empfängt die Abmeldenachrichten eines Identity-Providers. Die Anfrage enthält keine solche Nachricht.',
};
const UNKNOWN_TEXT = {
  en: 'There is no such SAML provider, or single logout is not configured for it.',
  de: 'Diesen SAML-Provider gibt es nicht, oder für ihn ist kein Single Logout eingerichtet.',
};
const EXPIRED_TEXT = {
  en: 'This sign-out was not found or has expired.',
  de: 'Diese Abmeldung wurde nicht gefunden oder ist abgelaufen.',
};

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
  return refuse(request, reply, apiError('invalid_value', INVALID), INVALID_TEXT);
}

/** Responds to a request without a logout message, such as a browser in which a person opened the address. */
export function refuseMissingMessage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = apiError('invalid_value', 'one of SAMLRequest and SAMLResponse is required', 'SAMLRequest');
  return refuse(request, reply, error, MISSING_TEXT);
}

/** Responds to a logout message for a provider that is unknown or has no single logout. */
export function refuseUnknownProvider(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = apiError('not_found', 'there is no such SAML provider, or it has no signOutUrl', 'provider');
  return refuse(request, reply, error, UNKNOWN_TEXT);
}

/** Responds to the address of a logout request that is unknown or has expired. */
export function refuseUnknownRequest(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = apiError('not_found', 'there is no such request, or it is too old', 'message');
  return refuse(request, reply, error, EXPIRED_TEXT);
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  reason: InEachLanguage<string>,
): FastifyReply {
  if (!wantsPage(request)) throw error;
  return sendPage(reply.code(error.statusCode), {
    en: {
      title: 'Sign-out not completed',
      text: [
        reason.en,
        'Your sessions may still be open. Sign out in Trapline and at the identity provider.',
        `Request: ${request.id}`,
      ],
      links: [{ href: '/', text: 'Open Trapline' }],
    },
    de: {
      title: 'Abmeldung nicht abgeschlossen',
      text: [
        reason.de,
        'Ihre Sitzungen können noch offen sein. Melden Sie sich in Trapline und beim Identity-Provider ab.',
        `Anfrage: ${request.id}`,
      ],
      links: [{ href: '/', text: 'Trapline öffnen' }],
    },
  });
}
