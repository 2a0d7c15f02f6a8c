import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { secretBodySchema, secretNameSchema, secretSchema } from '#schemas/api/execution-secrets.ts';
import { type BoundHost, readHost } from '../secrets/host-binding.ts';
import { secretOwner } from '../secrets/secret-owner.ts';
import { MAX_SECRETS, type Secrets } from '../secrets/secrets.ts';
import { WRITE } from './access.ts';

const tags = ['workflows'];
const params = z.strictObject({
  name: secretNameSchema.describe('Name of the secret').meta({ example: 'ticket_token' }),
});

/** GET /api/v1/secrets, PUT and DELETE …/{name}: secrets of the caller. Values are write-only. */
export function secretRoutes(app: ApiServer, { secrets }: { readonly secrets: Secrets }): void {
  app.get(
    '/api/v1/secrets',
    {
      config: WRITE,
      schema: {
        operationId: 'listSecrets',
        summary: 'List secrets',
        description:
          'Names of the secrets of the caller, which workflows of the caller may use. Values are never returned.',
        tags,
        response: {
          200: z.object({ data: z.array(secretSchema) }).describe('Names.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async (request) => ({
      data: (await secrets.list(ownerOf(request))).map(({ name, hosts, createdAt, updatedAt }) => ({
        name,
        hosts: hosts === null ? null : [...hosts],
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      })),
    }),
  );

  app.put(
    '/api/v1/secrets/:name',
    {
      config: WRITE,
      schema: {
        operationId: 'setSecret',
        summary: 'Set a secret',
        description: `Runs use the new value from now on. It is stored encrypted. With \`hosts\`, tasks send it to these hosts only. At most ${MAX_SECRETS} secrets.`,
        tags,
        params,
        body: secretBodySchema,
        response: { 204: z.undefined().describe('It is set.'), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { value, hosts } = request.body;
      const bound = hosts?.map(boundHost) ?? hosts;
      if (!(await secrets.put({ ...changeOf(request, request.params.name), value, hosts: bound })))
        throw apiError(
          'invalid_value',
          `there are at most ${MAX_SECRETS} secrets: delete those that are not needed`,
          'name',
        );
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/v1/secrets/:name',
    {
      config: WRITE,
      schema: {
        operationId: 'deleteSecret',
        summary: 'Delete a secret',
        description: 'Runs that need it fail from now on.',
        tags,
        params,
        response: { 204: z.undefined().describe('It is deleted.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      if (!(await secrets.remove(changeOf(request, request.params.name))))
        throw apiError('not_found', 'there is no such secret');
      return reply.code(204).send();
    },
  );
}

function changeOf(request: FastifyRequest, name: string) {
  return { owner: ownerOf(request), name, actor: actorOf(request.caller), origin: originOf(request) };
}

function ownerOf({ caller }: Pick<FastifyRequest, 'caller'>): string {
  return secretOwner(caller === undefined ? null : userOf(caller));
}

function boundHost(text: string, at: number): BoundHost {
  const host = readHost(text);
  if (host === undefined)
    throw apiError('invalid_value', `${JSON.stringify(text)} is neither a host name nor an address`, `hosts.${at}`);
  return host;
}
