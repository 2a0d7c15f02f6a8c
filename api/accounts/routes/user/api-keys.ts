import type { FastifyRequest } from 'fastify';
import { actorOf } from '#api/http/access/caller.ts';
import { sessionOf } from '#api/http/access/session-of.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  apiKeysSchema,
  type CreatedApiKeyBody,
  createdApiKeySchema,
  type NewApiKeyBody,
  newApiKeySchema,
} from '#schemas/api/api-keys.ts';
import type { IssueKey } from '../../keys/issue-key.ts';
import type { RevokeKey } from '../../keys/revoke-key.ts';
import { apiKeyRecord, createdApiKeyRecord, wantedApiKey } from '../../records/api-key-record.ts';
import { listApiKeys } from '../../tables/api-keys.ts';
import { revokeKeyRoute } from '../key-actions.ts';

export interface ApiKeyRoutesDeps {
  readonly database: Database;
  readonly issueKey: IssueKey;
  readonly revokeKey: RevokeKey;
}

/** Keys of the caller: GET and POST /api/user/api-keys, DELETE /api/user/api-keys/:keyId. */
export function apiKeyRoutes(app: ApiServer, { database, issueKey, revokeKey }: ApiKeyRoutesDeps): void {
  const config = { access: { by: 'session' } } as const;
  const tags = ['keys'];

  app.get(
    '/api/user/api-keys',
    {
      config,
      schema: {
        operationId: 'listApiKeys',
        summary: 'List your keys',
        description:
          'All keys of the caller, including revoked and expired ones, newest first. Secrets are not included.',
        tags,
        response: { 200: apiKeysSchema.describe('The keys.'), ...errorResponses(401, 429, 503) },
      },
    },
    async ({ caller }) => ({ data: (await listApiKeys(database, sessionOf(caller).userId)).map(apiKeyRecord) }),
  );

  app.post(
    '/api/user/api-keys',
    {
      config,
      schema: {
        operationId: 'createApiKey',
        summary: 'Create a key',
        description:
          'Only this response contains the key, because only a hash of the secret is stored. Send the key as `x-api-key` or as a bearer token.',
        tags,
        body: newApiKeySchema,
        response: {
          201: createdApiKeySchema.describe('The key.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      return reply.code(201).send(await makeKey(issueKey, sessionOf(request.caller).userId, request));
    },
  );

  revokeKeyRoute(app, revokeKey, {
    url: '/api/user/api-keys/:keyId',
    access: config.access,
    tags,
    operationId: 'revokeApiKey',
    summary: 'Revoke a key',
    ownerId: (caller) => sessionOf(caller).userId,
  });
}

/** Creates the requested key. Only this result contains the secret. */
export async function makeKey(
  issueKey: IssueKey,
  userId: string,
  request: FastifyRequest<{ Body: NewApiKeyBody }>,
): Promise<CreatedApiKeyBody> {
  const wanted = wantedApiKey(userId, request.body);
  const by = { actor: actorOf(request.caller), origin: originOf(request) };
  const created = await issueKey(wanted, by);
  return createdApiKeyRecord(created, wanted);
}
