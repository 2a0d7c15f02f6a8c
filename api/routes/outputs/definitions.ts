import { z } from 'zod';
import { newOutputSchema, outputChangeSchema, outputIdSchema, outputSchema } from '#schemas/api/outputs.ts';
import { apiError, invalidRequest } from '../../http/api-error.ts';
import type { ApiServer } from '../../http/api-server.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { originOf } from '../../http/origin.ts';
import { OutputRefused, type Outputs } from '../../outputs/outputs.ts';
import { actorOf } from '../../platform/access/caller.ts';
import { outputRecord } from '../../records/output-record.ts';
import type { Database } from '../../store/database.ts';
import { findOutput, listOutputs } from '../../store/tables/outputs.ts';

export interface OutputRoutesDeps {
  readonly database: Database;
  readonly outputs: Outputs;
}

const config = { access: { by: 'admin' } } as const;
const tags = ['outputs'];
export const outputParams = z.object({ id: outputIdSchema.describe('Id of the output') });

/** Where detections are sent: GET and POST /api/outputs; GET, PATCH and DELETE /api/outputs/:id. */
export function outputDefinitionRoutes(app: ApiServer, { database, outputs }: OutputRoutesDeps): void {
  app.get(
    '/api/outputs',
    {
      config,
      schema: {
        summary: 'List the outputs',
        description: 'All receivers detections are sent to, by name. Of their secrets only the names.',
        tags,
        response: {
          200: z.object({ data: z.array(outputSchema) }).describe('The outputs.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: (await listOutputs(database)).map(outputRecord) }),
  );

  app.post(
    '/api/outputs',
    {
      config,
      schema: {
        summary: 'Make an output',
        description:
          'A receiver that is told of detections from now on: syslog, a webhook, a Kafka topic, a chat, or workflows. Its secrets are encrypted, and come out nowhere.',
        tags,
        body: newOutputSchema,
        response: {
          201: outputSchema.describe('The output.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const row = await outputs.create(request.body, by).catch(refuse);
      return reply.code(201).send(outputRecord(row));
    },
  );

  app.get(
    '/api/outputs/:id',
    {
      config,
      schema: {
        summary: 'Read an output',
        description: 'Its definition. Of its secrets only the names.',
        tags,
        params: outputParams,
        response: { 200: outputSchema.describe('The output.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async ({ params }) => outputRecord((await findOutput(database, params.id)) ?? none()),
  );

  app.patch(
    '/api/outputs/:id',
    {
      config,
      schema: {
        summary: 'Change an output',
        description:
          'What is left out stays as it is, and so does its place: what waits is sent by the new definition, at once. A new receiver needs its secrets again.',
        tags,
        params: outputParams,
        body: outputChangeSchema,
        response: {
          200: outputSchema.describe('The output as it is now.'),
          ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      return outputRecord((await outputs.change(request.params.id, request.body, by).catch(refuse)) ?? none());
    },
  );

  app.delete(
    '/api/outputs/:id',
    {
      config,
      schema: {
        summary: 'Remove an output',
        description: 'With what waits for it and what it refused.',
        tags,
        params: outputParams,
        response: { 204: z.null().describe('It is gone.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      if (!(await outputs.remove(request.params.id, by))) none();
      return reply.code(204).send(null);
    },
  );
}

/** The answer where there is none. */
export function none(): never {
  throw apiError('not_found', 'there is no output with this id');
}

function refuse(error: unknown): never {
  if (!(error instanceof OutputRefused)) throw error;
  const { reason } = error;
  if (reason === 'taken') throw apiError('conflict', 'another output has this name', 'name');
  if (reason === 'unavailable')
    throw apiError('invalid_value', 'this installation has nothing to reach such a receiver by', 'type');
  throw invalidRequest(reason);
}
