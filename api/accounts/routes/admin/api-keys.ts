import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { apiKeysSchema, createdApiKeySchema, newApiKeySchema } from '#schemas/api/api-keys.ts';
import { userIdSchema } from '#schemas/api/users.ts';
import { apiKeyRecord } from '../../records/api-key-record.ts';
import { listApiKeys } from '../../tables/api-keys.ts';
import { revokeKeyRoute, rotateKeyRoute } from '../key-actions.ts';
import type { ApiKeyChangeRouteDeps } from '../user/api-key-changes.ts';
import { type ApiKeyRoutesDeps, makeKey } from '../user/api-keys.ts';

const userParams = z.strictObject({ id: userIdSchema });

/**
 * Keys of any user, for administrators and the command line: GET and POST /api/admin/users/:id/api-keys, DELETE
 * /api/admin/api-keys/:keyId, POST /api/admin/api-keys/:keyId/rotate.
 */
export function adminApiKeyRoutes(
  app: ApiServer,
  { database, issueKey, revokeKey, rotateKey }: ApiKeyRoutesDeps & Pick<ApiKeyChangeRouteDeps, 'rotateKey'>,
): void {
  const config = { access: { by: 'admin' } } as const;
  const tags = ['administration'];

  app.get(
    '/api/admin/users/:id/api-keys',
    {
      config,
      schema: {
        operationId: 'listUserApiKeys',
        summary: 'List the keys of a user',
        description:
          'All keys of the user, including revoked and expired ones, newest first. The list is empty for an unknown user.',
        tags,
        params: userParams,
        response: { 200: apiKeysSchema.describe('The keys.'), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async ({ params }) => ({ data: (await listApiKeys(database, params.id)).map(apiKeyRecord) }),
  );

  app.post(
    '/api/admin/users/:id/api-keys',
    {
      config,
      schema: {
        operationId: 'createUserApiKey',
        summary: 'Create a key for a user',
        description: 'Only this response contains the key. Its scopes and the role of the user limit what it may do.',
        tags,
        params: userParams,
        body: newApiKeySchema,
        response: {
          201: createdApiKeySchema.describe('The key.'),
          ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      return reply.code(201).send(await makeKey(issueKey, request.params.id, request));
    },
  );

  const anyKey = { access: config.access, tags, ownerId: () => undefined };
  rotateKeyRoute(app, rotateKey, {
    url: '/api/admin/api-keys/:keyId/rotate',
    operationId: 'rotateAnyApiKey',
    summary: 'Rotate a key of any user',
    ...anyKey,
  });
  revokeKeyRoute(app, revokeKey, {
    url: '/api/admin/api-keys/:keyId',
    operationId: 'revokeAnyApiKey',
    summary: 'Revoke a key of any user',
    ...anyKey,
  });
}
