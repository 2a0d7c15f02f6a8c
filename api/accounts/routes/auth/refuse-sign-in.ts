import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '#api/http/api-error.ts';
import { sendPage } from '#api/http/pages/oauth-page.ts';
import { wantsPage } from '#api/http/wants-page.ts';
import type { ApiErrorCode } from '#schemas/api/error-envelope.ts';
import type { RefusedSignIn } from '../../oauth/refused-sign-in.ts';

/** Message of each refusal. It does not reveal the exact reason, which is in the audit log. */
const REFUSALS: Readonly<
  Record<RefusedSignIn['refusal'], { readonly code: ApiErrorCode; readonly message: string; readonly advice: string }>
> = {
  'start-over': {
    code: 'invalid_value',
    message:
      'this sign-in cannot be completed: it was cancelled, has expired, was used already or began in another browser',
    advice: 'Begin again in this browser, and come back within ten minutes.',
  },
  'not-permitted': {
    code: 'forbidden',
    message: 'this account cannot be used to sign in here',
    advice:
      'Make sure that its address is verified at the provider, or sign in with the password of your account here. ' +
      'If neither helps, ask an administrator and name the request.',
  },
  'too-many': {
    code: 'rate_limited',
    message: 'too many sign-ins from this address are not completed',
    advice: 'Wait ten minutes, then begin again.',
  },
  busy: {
    code: 'rate_limited',
    message: 'too many sign-ins are in progress',
    advice: 'Try again in a few seconds.',
  },
  'provider-unavailable': {
    code: 'unavailable',
    message: 'the provider does not respond as expected',
    advice: 'Try again in a minute, or sign in another way.',
  },
  unavailable: {
    code: 'unavailable',
    message: 'sign-in is not available right now',
    advice: 'Try again in a minute.',
  },
};

/** German message and advice for each refusal. */
const GERMAN: Readonly<Record<RefusedSignIn['refusal'], readonly string[]>> = {
  'start-over': [
    'Diese Anmeldung kann nicht abgeschlossen werden: Sie wurde abgebrochen, ist abgelaufen, wurde schon verwendet oder in einem anderen Browser begonnen.',
    'Beginnen Sie in diesem Browser erneut, und kehren Sie innerhalb von zehn Minuten zurück.',
  ],
  'not-permitted': [
    'Mit diesem Konto können Sie sich hier nicht anmelden.',
    'Vergewissern Sie sich, dass seine Adresse beim Anbieter bestätigt ist, oder melden Sie sich mit dem Passwort Ihres hiesigen Kontos an. Hilft beides nicht, fragen Sie einen Administrator, und nennen Sie die Anfrage.',
  ],
  'too-many': [
    'Zu viele Anmeldungen von dieser Adresse sind nicht abgeschlossen.',
    'Warten Sie zehn Minuten, und beginnen Sie dann erneut.',
  ],
  busy: ['Zurzeit laufen zu viele Anmeldungen.', 'Versuchen Sie es in einigen Sekunden erneut.'],
  'provider-unavailable': [
    'Der Anbieter antwortet nicht wie erwartet.',
    'Versuchen Sie es in einer Minute erneut, oder melden Sie sich auf andere Weise an.',
  ],
  unavailable: ['Die Anmeldung ist zurzeit nicht verfügbar.', 'Versuchen Sie es in einer Minute erneut.'],
};

/** Throws the envelope for a program. Sends a page with the same status to a browser. */
export function refuseSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { refusal, retryAfterSeconds }: RefusedSignIn,
  provider: string,
): FastifyReply {
  const { code, message, advice } = REFUSALS[refusal];
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const error = apiError(code, message, undefined, headers);
  if (!wantsPage(request)) throw error;
  return sendPage(reply.code(error.statusCode).headers(headers), {
    en: {
      title: 'Not signed in',
      text: [`${message[0]?.toUpperCase()}${message.slice(1)}.`, advice, `Request: ${request.id}`],
      links: [
        { href: `/api/auth/signin/${provider}`, text: 'Try again' },
        { href: '/sign-in', text: 'Sign in another way' },
      ],
    },
    de: {
      title: 'Nicht angemeldet',
      text: [...GERMAN[refusal], `Anfrage: ${request.id}`],
      links: [
        { href: `/api/auth/signin/${provider}`, text: 'Erneut versuchen' },
        { href: '/sign-in', text: 'Auf andere Weise anmelden' },
      ],
    },
  });
}
