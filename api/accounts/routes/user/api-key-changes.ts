import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { sessionOf } from '#api/http/access/session-of.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { changedApiKeySchema, keyIdSchema, keyUsageSchema } from '#schemas/api/api-keys.ts';
import type { RotateKey, UpdateKey } from '../../keys/rotate-key.ts';
import { resourcesOf } from '../../records/api-key-record.ts';
import { hasApiKey } from '../../tables/api-keys.ts';
import { type CountedRequests, readKeyUsage } from '../../tables/key-usage.ts';
import { rotateKeyRoute } from '../key-actions.ts';

export interface ApiKeyChangeRouteDeps {
  readonly database: Database;
  readonly rotateKey: RotateKey;
  readonly updateKey: UpdateKey;
}

const SHOWN_DAYS = 30;

/** Rotation, restrictions and usage of the caller's keys: POST …/rotate, PATCH and GET …/usage of /api/user/api-keys/:keyId. */
export function apiKeyChangeRoutes(app: ApiServer, { database, rotateKey, updateKey }: ApiKeyChangeRouteDeps): void {
  const config = { access: { by: 'session' } } as const;
  const tags = ['keys'];
  const params = z.strictObject({ keyId: keyIdSchema });

  rotateKeyRoute(app, rotateKey, {
    url: '/api/user/api-keys/:keyId/rotate',
    access: config.access,
    tags,
    operationId: 'rotateApiKey',
    summary: 'Rotate a key',
    ownerId: (caller) => sessionOf(caller).userId,
  });

  app.patch(
    '/api/user/api-keys/:keyId',
    {
      config,
      schema: {
        operationId: 'updateApiKey',
        summary: 'Change the name, limits and restrictions of a key',
        description:
          'Omitted fields stay as they are. A key that is restricted to workflows or agents may call only their routes and those of their executions. The change applies in every process within a second.',
        tags,
        params,
        body: changedApiKeySchema,
        response: {
          204: z.null().describe('The key is changed.'),
          ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { label, networks, requestsPerMinute, requestsPerDay } = request.body;
      await updateKey(
        {
          keyId: request.params.keyId,
          ownerId: sessionOf(request.caller).userId,
          actor: actorOf(request.caller),
          origin: originOf(request),
        },
        { label, networks, requestsPerMinute, requestsPerDay, resources: resourcesOf(request.body) },
      );
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/user/api-keys/:keyId/usage',
    {
      config,
      schema: {
        operationId: 'getApiKeyUsage',
        summary: 'Read the usage of a key',
        description:
          'Requests per day of the last 30 days, newest first. Days without requests are omitted. Counts are written every ten seconds.',
        tags,
        params,
        response: { 200: keyUsageSchema.describe('The usage.'), ...errorResponses(400, 401, 404, 429, 503) },
      },
    },
    async ({ caller, params: { keyId } }) => {
      if (!(await hasApiKey(database, keyId, sessionOf(caller).userId)))
        throw apiError('not_found', 'there is no such key');
      return { days: byDay(await readKeyUsage(database, keyId, SHOWN_DAYS)) };
    },
  );
}

function byDay(rows: readonly CountedRequests[]) {
  const days = Map.groupBy(rows, ({ day }) => day);
  return Array.from(days, ([day, counted]) => ({
    day,
    requests: counted.reduce((sum, { requests }) => sum + requests, 0),
    groups: counted.map(({ routeGroup: group, requests }) => ({ group, requests })),
  }));
}
