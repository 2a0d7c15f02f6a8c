import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';

/** Only what this server sends itself may run, style or be asked; no other site gets the page, a form or the address. */
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
    file: 'page.html',
    type: 'text/html',
    operationId: 'getResetPage',
    summary: 'The page of a reset link',
    description:
      'Where mailed links lead: asks for a new password and sends it with the token to POST /api/auth/reset-password. The server does not read the ' +
      'token here, the page removes it from the address at once, and no referrer contains it.',
  },
  {
    path: '/auth/reset-password.js',
    file: 'page.js',
    type: 'text/javascript',
    operationId: 'getResetScript',
    summary: 'The script of the reset page',
    description: 'A file of its own, because the content security policy lets no inline script run.',
  },
] as const;

/** GET /auth/reset-password with its script; its style is that of all such pages. Nothing of it is cached: the address holds a token. */
export function resetPasswordPage(app: ApiServer): void {
  for (const { path, file, type, operationId, summary, description } of FILES) {
    const text = readFileSync(new URL(`./reset-password/${file}`, import.meta.url), 'utf8');
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
