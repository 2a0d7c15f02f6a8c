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
    summary: 'Page of a reset link',
    description:
      'Target of mailed links: a form for a new password, which sends it with the token to POST /api/auth/reset-password. The server does not read the token here, the page removes it from the URL immediately, and no referrer contains it.',
  },
  {
    path: '/auth/reset-password.js',
    file: 'reset-password.js',
    type: 'text/javascript',
    operationId: 'getResetScript',
    summary: 'Script of the reset page',
    description: 'A separate file, because the content security policy permits no inline scripts.',
  },
  {
    path: '/auth/confirm-email',
    file: 'confirm-email.html',
    type: 'text/html',
    operationId: 'getConfirmEmailPage',
    summary: 'Page of a link that confirms an address',
    description:
      'Target of the link of POST /api/user/email. A button sends the token to POST /api/auth/confirm-email, because mail scanners open links too.',
  },
  {
    path: '/auth/confirm-email.js',
    file: 'confirm-email.js',
    type: 'text/javascript',
    operationId: 'getConfirmEmailScript',
    summary: 'Script of the page that confirms an address',
    description: 'A separate file, because the content security policy permits no inline scripts.',
  },
  {
    path: '/auth/set-up',
    file: 'set-up.html',
    type: 'text/html',
    operationId: 'getSetUpPage',
    summary: 'Page of the set-up link',
    description:
      'Target of the link that `trapline start` prints while no administrator exists: a form for address, name and password, which sends them with the token to POST /api/auth/set-up.',
  },
  {
    path: '/auth/set-up.js',
    file: 'set-up.js',
    type: 'text/javascript',
    operationId: 'getSetUpScript',
    summary: 'Script of the set-up page',
    description: 'A separate file, because the content security policy permits no inline scripts.',
  },
  {
    path: '/auth/link-form.js',
    file: 'link-form.js',
    type: 'text/javascript',
    operationId: 'getLinkFormScript',
    summary: 'Common script of these pages',
    description: 'Reads the token of a link, sends the form and shows the result.',
  },
  {
    path: '/auth/link-texts.js',
    file: 'link-texts.js',
    type: 'text/javascript',
    operationId: 'getLinkTextsScript',
    summary: 'German texts of these pages',
    description: 'Shown in browsers with the language German, or if German was chosen in the console.',
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
