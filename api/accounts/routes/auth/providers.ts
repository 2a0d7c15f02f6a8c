import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { OAuthSignIn } from '../../oauth/sign-in.ts';
import type { RegistrationSetting } from '../../registration-setting.ts';

/** GET /api/auth/providers: the configured sign-in providers. */
export function providersRoute(
  app: ApiServer,
  { oauth, registration }: { readonly oauth: OAuthSignIn; readonly registration: RegistrationSetting },
): void {
  app.get(
    '/api/auth/providers',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'listSignInProviders',
        summary: 'List sign-in providers',
        description:
          'The configured sign-in providers; the list can be empty. Also states whether registration is open.',
        tags: ['accounts'],
        response: {
          200: z
            .object({
              data: z.array(
                z.object({
                  id: z.string().describe('id in URLs').meta({ example: 'idp' }),
                  name: z.string().describe('display name').meta({ example: 'Identity provider' }),
                  url: z
                    .string()
                    .describe('URL that begins the sign-in; accepts `returnTo`')
                    .meta({ example: '/api/auth/signin/idp' }),
                }),
              ),
              registration: z
                .enum(['open', 'restricted', 'closed'])
                .describe('who may register: everyone, people with an address at certain domains, or no person')
                .meta({ example: 'closed' }),
            })
            .describe('All enabled providers.'),
          ...errorResponses(429),
        },
      },
    },
    async () => ({
      registration: typeof registration === 'string' ? registration : ('restricted' as const),
      data: oauth.providers.map((provider) => ({ ...provider, url: `/api/auth/signin/${provider.id}` })),
    }),
  );
}
