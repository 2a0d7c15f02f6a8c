import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { BackChannelLogout } from '../../oauth/back-channel-logout.ts';
import { readFormBodies } from './form-bodies.ts';
import { providerParams } from './signin.ts';

export interface BackChannelLogoutRouteDeps {
  readonly backChannelLogout: BackChannelLogout;
}

const MAX_FORM_BYTES = 64 * 1024;
const UNAVAILABLE_RETRY_SECONDS = 5;

const DESCRIBED_FORM = {
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      required: ['logout_token'],
      properties: { logout_token: { type: 'string', description: 'Signed JWT from the provider' } },
    },
  },
} as const;

const formSchema = z.object({ logout_token: z.string().min(1) });

/** Error response of OAuth 2.0 (RFC 6749, 5.2), which the specification requires here. */
const refusalSchema = z
  .object({
    error: z.literal('invalid_request'),
    error_description: z.string().describe('Error of the token'),
  })
  .describe('The token is invalid, or was used before. No session ended.');

/**
 * POST /api/auth/oidc/:provider/backchannel-logout. The provider's server sends it. The signature authenticates it;
 * cookies are ignored.
 */
export function backChannelLogoutRoute(app: ApiServer, { backChannelLogout }: BackChannelLogoutRouteDeps): void {
  app.register(async (inner) => {
    const scope = inner as ApiServer;
    readFormBodies(scope, { bodyLimit: MAX_FORM_BYTES });
    scope.post(
      '/api/auth/oidc/:provider/backchannel-logout',
      {
        config: { access: { by: 'anyone' }, describedBody: DESCRIBED_FORM },
        schema: {
          operationId: 'receiveLogoutToken',
          summary: 'Receive a logout token',
          description:
            'An OpenID Connect provider ends sessions (Back-Channel Logout 1.0): the session of `sid`, or all sessions that it began for the account of `sub`. A token is valid once.',
          tags: ['accounts'],
          params: providerParams,
          response: {
            200: z.undefined().describe('The sessions have ended.'),
            400: refusalSchema,
            ...errorResponses(404, 413, 415, 429, 503),
          },
        },
      },
      async (request, reply) => {
        const { provider } = request.params;
        const form = formSchema.safeParse(request.body);
        reply.header('cache-control', 'no-store');
        const refused = (description: string) =>
          reply.code(400).send({ error: 'invalid_request', error_description: description });
        if (!form.success) return refused('must be a form with one logout_token');
        const token = form.data.logout_token;
        const outcome = await backChannelLogout.receive({ provider, token, origin: originOf(request) });
        if (outcome === undefined) throw apiError('not_found', 'there is no such OpenID Connect provider', 'provider');
        if (outcome.kind === 'refused') return refused(outcome.message);
        if (outcome.kind === 'too-many')
          throw apiError('rate_limited', 'too many logout tokens from this address were refused', undefined, {
            'retry-after': String(outcome.retryAfterSeconds),
          });
        if (outcome.kind === 'provider-unavailable')
          throw apiError('unavailable', 'the keys of the provider cannot be read', undefined, {
            'retry-after': String(UNAVAILABLE_RETRY_SECONDS),
          });
        return reply.code(200).send();
      },
    );
  });
}
