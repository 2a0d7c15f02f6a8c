import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { CountView } from './count-view.ts';

const slugSchema = z
  .string()
  .regex(/^[A-Za-z0-9/_.-]{1,200}$/, 'must be 1 to 200 of letters, digits, /, -, _ and .')
  .describe('slug of the page')
  .meta({ example: 'blog/stack-canaries' });

/** POST /api/views/index: the page-view counter. */
export function pageViewsRoute(app: ApiServer, { countView }: { readonly countView: CountView }): void {
  app.post(
    '/api/views/index',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'countPageView',
        summary: 'Count a page view',
        description:
          'Counts one view of a page. Further views of the same address within five minutes are not counted.',
        tags: ['views'],
        body: z.strictObject({ slug: slugSchema }),
        response: {
          200: z
            .object({
              slug: slugSchema,
              views: z.int().describe('number of views, including this one').meta({ example: 42 }),
            })
            .describe('The page and its number of views.'),
          ...errorResponses(400, 413, 415, 429, 503),
        },
      },
    },
    async ({ body: { slug }, clientAddress }) => ({ slug, views: await countView(slug, clientAddress) }),
  );
}
