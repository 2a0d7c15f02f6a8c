import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { identityProviderSchema, providerTestSchema } from '#schemas/api/identity-providers.ts';
import type { AdministeredProvider, ProviderAdministration } from '../../oauth/provider-administration.ts';
import { providerParams } from '../auth/signin.ts';

export interface IdentityProviderRoutesDeps {
  readonly providerAdministration: ProviderAdministration;
}

const config = { access: { by: 'admin' } } as const;
const tags = ['administration'];

/** GET /api/admin/identity-providers; POST …/:provider/test. */
export function identityProviderRoutes(app: ApiServer, { providerAdministration }: IdentityProviderRoutesDeps): void {
  app.get(
    '/api/admin/identity-providers',
    {
      config,
      schema: {
        operationId: 'listIdentityProviders',
        summary: 'List identity providers',
        description: 'The configured sign-in providers, without secrets.',
        tags,
        response: {
          200: z.object({ data: z.array(identityProviderSchema) }).describe('All enabled providers.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: (await providerAdministration.list()).map(recordOf) }),
  );

  app.post(
    '/api/admin/identity-providers/:provider/test',
    {
      config,
      schema: {
        operationId: 'testIdentityProvider',
        summary: 'Test an identity provider',
        description:
          'Checks what a sign-in would need. OpenID Connect: the discovery document and keys. SAML: the sign-in URL and the expiry of the certificates.',
        tags,
        params: providerParams,
        response: {
          200: providerTestSchema.describe('The result of the test.'),
          ...errorResponses(401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const result = await providerAdministration.test(request.params.provider);
      if (result === undefined) throw apiError('not_found', 'there is no such provider', 'provider');
      return result;
    },
  );
}

function recordOf({ policy, certificates, metadataUrl, logoutUrl, ...provider }: AdministeredProvider) {
  const { allowedDomains, signUp, linking, roles, teams } = policy;
  return {
    ...provider,
    metadataUrl: metadataUrl ?? null,
    logoutUrl: logoutUrl ?? null,
    certificates: certificates.map(({ subject, endsAt }) => ({ subject, endsAt: endsAt.toISOString() })),
    allowedDomains: allowedDomains === undefined ? null : [...allowedDomains],
    signUp,
    linking,
    roles: Object.entries(roles?.map ?? {}).map(([value, role]) => ({ value, role })),
    teams: Object.entries(teams?.map ?? {}).map(([value, team]) => ({ value, team })),
  };
}
