import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { SamlCallback } from '../../saml/saml-callback.ts';
import type { SessionCookie } from '../../sessions/session-cookie.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { readFormBodies } from './form-bodies.ts';
import { inBothForms, jsonOrPage, welcomeSchema } from './oauth-responses.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { samlLogoutRoutes } from './saml-logout.ts';
import { providerParams } from './signin.ts';

export interface SamlRouteDeps {
  readonly saml: SamlCallback;
  readonly sessionCookie: SessionCookie;
}

const MAX_FORM_BYTES = 2 ** 20;

const DESCRIBED_FORM = {
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      required: ['SAMLResponse'],
      properties: {
        SAMLResponse: { type: 'string', description: 'Response of the identity provider, base64' },
        RelayState: { type: 'string', description: 'Unchanged from the request' },
      },
    },
  },
} as const;

/** The form of the POST binding. A duplicate field is invalid. */
const formSchema = z.object({ SAMLResponse: z.string().min(1), RelayState: z.string().max(2048).optional() });

/**
 * SAML 2.0: the URL to which identity providers have browsers post their responses, and the metadata that describes
 * this service to them.
 */
export function samlRoutes(app: ApiServer, deps: SamlRouteDeps): void {
  metadataRoute(app, deps);
  samlLogoutRoutes(app, deps);
  // A separate scope: no other route accepts a form.
  app.register(async (scope) => consumerRoute(scope as ApiServer, deps));
}

function metadataRoute(app: ApiServer, { saml }: SamlRouteDeps): void {
  app.get(
    '/api/auth/saml/:provider/metadata',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'getSamlMetadata',
        summary: 'Get the SAML metadata',
        description: 'Describes this service to a SAML identity provider: entity id, URL for responses, certificates.',
        tags: ['accounts'],
        params: providerParams,
        response: {
          200: {
            description: 'An EntityDescriptor.',
            content: { 'application/samlmetadata+xml': { schema: z.string() } },
          },
          ...errorResponses(404, 429),
        },
      },
    },
    async (request, reply) => {
      const metadata = saml.metadata(request.params.provider);
      if (metadata === undefined) throw apiError('not_found', 'there is no such SAML provider', 'provider');
      return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata);
    },
  );
}

/**
 * POST /api/auth/saml/:provider/acs. By design, another site posts this form. A verified response continues only in the
 * browser with the cookie of its request. Responses without a request are rejected unless the operator accepts them.
 */
function consumerRoute(app: ApiServer, { saml, sessionCookie }: SamlRouteDeps): void {
  readFormBodies(app, { bodyLimit: MAX_FORM_BYTES });
  app.post(
    '/api/auth/saml/:provider/acs',
    {
      config: { access: { by: 'anyone' }, describedBody: DESCRIBED_FORM },
      schema: {
        operationId: 'receiveSamlResponse',
        summary: 'Receive a SAML response',
        description:
          'A SAML identity provider has the browser post its response here. A response to a request of this browser continues at the callback of the provider. Valid once.',
        tags: ['accounts'],
        params: providerParams,
        response: {
          200: jsonOrPage(welcomeSchema),
          302: z.null().describe('Signed in by an unsolicited response, if the provider is allowed to send them.'),
          303: z.null().describe('Verified; continues at the callback of the provider.'),
          ...errorResponses(404, 413, 415),
          ...inBothForms(errorResponses(400, 403, 429, 503)),
        },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const form = formSchema.safeParse(request.body);
      if (!form.success) throw apiError('invalid_value', 'must be a form with SAMLResponse', 'SAMLResponse');
      const received = await saml.receive({
        provider,
        response: form.data.SAMLResponse,
        relayState: form.data.RelayState,
        origin: originOf(request),
      });
      if (received === undefined) throw apiError('not_found', 'there is no such SAML provider', 'provider');
      const plain: FastifyReply = reply;
      if (received.kind === 'refused') return refuseSignIn(request, plain, received, provider);
      if (received.kind === 'continue') return plain.redirect(received.location, 303);
      return finishSignIn(request, plain, received, sessionCookie);
    },
  );
}
