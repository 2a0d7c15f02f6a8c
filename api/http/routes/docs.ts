import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import type { Document } from '../description/document.ts';
import { publicDescription } from '../description/public-description.ts';
import { errorResponses } from '../error-responses.ts';

const document = z.looseObject({}).describe('An OpenAPI 3.0 document');

/** GET /api/docs: the description of every route. GET /api/openapi.json: the description of the routes that clients use. */
export function docsRoutes(app: ApiServer): void {
  app.get(
    '/api/docs',
    {
      config: { access: { by: 'admin-key' } },
      schema: {
        operationId: 'getFullDescription',
        summary: 'OpenAPI description of all routes',
        description: 'The OpenAPI 3.0 description of all routes. Rejected if no ADMIN_KEY is configured.',
        tags: ['operation'],
        response: { 200: document, ...errorResponses(401, 429) },
      },
    },
    async () => app.swagger() as unknown as Record<string, unknown>,
  );

  let text: string | undefined;
  app.get(
    '/api/openapi.json',
    {
      config: { access: { by: 'anyone' }, logged: 'refusals' },
      schema: {
        operationId: 'getDescription',
        summary: 'OpenAPI description',
        description:
          'The OpenAPI 3.0 description of the routes for API keys, for ordinary accounts and without authentication. Excludes administration.',
        tags: ['operation'],
        response: {
          200: { description: 'An OpenAPI 3.0 document.', content: { 'application/json': { schema: document } } },
          ...errorResponses(429),
        },
      },
    },
    async (_request, reply) => {
      text ??= JSON.stringify(publicDescription(app.swagger() as unknown as Document));
      return reply.type('application/json; charset=utf-8').send(text as never);
    },
  );
}
