import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import { errorResponses } from '../error-responses.ts';

/** Where the style of the pages stands that the server writes itself. */
export const PAGE_STYLE = '/auth/page.css';

/** GET /auth/page.css: the look of the console for the few pages that stand outside it. */
export function pageStyle(app: ApiServer): void {
  const text = readFileSync(new URL('./page.css', import.meta.url), 'utf8');
  app.get(
    PAGE_STYLE,
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'getPageStyle',
        summary: "The style of the server's own pages",
        description: 'A file of its own, because the content security policy lets no inline style through.',
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
