import { z } from 'zod';
import type { ApiServer } from '../http/api-server.ts';
import { errorResponses } from '../http/error-responses.ts';

/** GET /api/docs: the OpenAPI 3.0 description of every route of the product. */
export function docsRoute(app: ApiServer): void {
  app.get(
    '/api/docs',
    {
      config: { access: { by: 'admin-key' } },
      schema: {
        summary: 'OpenAPI description',
        description: 'The OpenAPI 3.0 description of every route. Refused as long as no ADMIN_KEY is configured.',
        tags: ['operation'],
        response: { 200: z.looseObject({}).describe('an OpenAPI 3.0 document'), ...errorResponses(401, 429) },
      },
    },
    async () => app.swagger() as unknown as Record<string, unknown>,
  );
}
