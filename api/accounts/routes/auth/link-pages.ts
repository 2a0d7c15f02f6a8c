import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';

/** Allows only scripts, styles and requests of this server. The page and its URL are not exposed to other sites. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FILES = [
  {
    path: '/auth/reset-password',
    file: 'reset-password.html',
    type: 'text/html',
    operationId: 'getResetPage',
    summary: 'The page of a reset link',
    description:
      'Where mailed links lead: asks for a new password and sends it with the token to POST /api/auth/reset-password. The server does not read the ' +
      'token here, the page removes it from the address at once, and no referrer contains it.',
  },
  {
    path: '/auth/reset-password.js',
    file: 'reset-password.js',
    type: 'text/javascript',
    operationId: 'getResetScript',
    summary: 'The script of the reset page',
    description: 'A file of its own, because the content security policy lets no inline script run.',
  },
  {
    path: '/auth/confirm-email',
    file: 'confirm-email.html',
    type: 'text/html',
    operationId: 'getConfirmEmailPage',
    summary: 'The page of a link that confirms an address',
    description:
      'Where the link of POST /api/user/email leads: a button sends the token to POST /api/auth/confirm-email, because programs that check mails ' +
      'open links too.',
  },
  {
    path: '/auth/confirm-email.js',
    file: 'confirm-email.js',
    type: 'text/javascript',
    operationId: 'getConfirmEmailScript',
    summary: 'The script of the page that confirms an address',
    description: 'A file of its own, because the content security policy lets no inline script run.',
  },
  {
    path: '/auth/set-up',
    file: 'set-up.html',
    type: 'text/html',
    operationId: 'getSetUpPage',
    summary: 'The page of the set-up link',
    description:
      'Where the link leads that `trapline start` prints while no administrator exists: asks for an address, a name and a password, and sends them with the ' +
      'token to POST /api/auth/set-up.',
  },
  {
    path: '/auth/set-up.js',
    file: 'set-up.js',
    type: 'text/javascript',
    operationId: 'getSetUpScript',
    summary: 'The script of the set-up page',
    description: 'A file of its own, because the content security policy lets no inline script run.',
  },
  {
    path: '/auth/link-form.js',
    file: 'link-form.js',
    type: 'text/javascript',
    operationId: 'getLinkFormScript',
    summary: 'The script that these pages share',
    description: 'Reads the token of a link, sends the form and shows the outcome.',
  },
  {
    path: '/auth/link-texts.js',
    file: 'link-texts.js',
    type: 'text/javascript',
    operationId: 'getLinkTextsScript',
    summary: 'The German texts of these pages',
    description: 'Shown in browsers whose language is German, or in which German was chosen in the console.',
  },
] as const;

/**
 * GET /auth/reset-password, GET /auth/confirm-email and GET /auth/set-up with their scripts. Their style is shared by
 * all such pages. Nothing is cached, because the URL contains a token.
 */
export function linkPages(app: ApiServer): void {
  for (const { path, file, type, operationId, summary, description } of FILES) {
    const text = readFileSync(new URL(`./pages/${file}`, import.meta.url), 'utf8');
    app.get(
      path,
      {
        config: { access: { by: 'anyone' } },
        schema: {
          operationId,
          summary,
          description,
          tags: ['accounts'],
          response: {
            200: { description: 'The file.', content: { [type]: { schema: z.string() } } },
            ...errorResponses(429),
          },
        },
      },
      async (_request, reply) =>
        reply.header('content-security-policy', POLICY).type(`${type}; charset=utf-8`).send(text),
    );
  }
}
