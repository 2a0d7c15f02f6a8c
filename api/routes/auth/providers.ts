import { z } from 'zod';
import type { ApiServer } from '../../http/api-server.ts';
import { errorResponses } from '../../http/error-responses.ts';
import type { OAuthSignIn } from '../../platform/oauth/sign-in.ts';

/** GET /api/auth/providers: with whom people may sign in; what is not configured is not there. */
export function providersRoute(app: ApiServer, { oauth }: { readonly oauth: OAuthSignIn }): void {
  app.get(
    '/api/auth/providers',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        summary: 'List sign-in providers',
        description: 'The providers that people may sign in with here. The list is empty when none is configured.',
        tags: ['accounts'],
        response: {
          200: z
            .object({
              data: z.array(
                z.object({
                  id: z.string().describe('stands in addresses').meta({ example: 'idp' }),
                  name: z.string().describe('for people').meta({ example: 'Identity provider' }),
                  url: z
                    .string()
                    .describe('where a browser begins; takes `returnTo`')
                    .meta({ example: '/api/auth/signin/idp' }),
                }),
              ),
            })
            .describe('All that are enabled.'),
          ...errorResponses(429),
        },
      },
    },
    async () => ({
      data: oauth.providers.map((provider) => ({ ...provider, url: `/api/auth/signin/${provider.id}` })),
    }),
  );
}
