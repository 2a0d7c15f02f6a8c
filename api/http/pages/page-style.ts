import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import { errorResponses } from '../error-responses.ts';

/** Path of the style sheet of the pages that the server renders itself. */
export const PAGE_STYLE = '/auth/page.css';

/** GET /auth/page.css: the style of the console for pages outside the console. */
export function pageStyle(app: ApiServer): void {
  const text = readFileSync(new URL('./page.css', import.meta.url), 'utf8');
  app.get(
    PAGE_STYLE,
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'getPageStyle',
        summary: "Style sheet of the server's pages",
        description: 'A separate file, because the content security policy permits no inline styles.',
        tags: ['accounts'],
        response: {
          200: { description: 'The file.', content: { 'text/css': { schema: z.string() } } },
          ...errorResponses(429),
        },
      },
    },
    async (_request, reply) => reply.type('text/css; charset=utf-8').send(text),
  );
}
