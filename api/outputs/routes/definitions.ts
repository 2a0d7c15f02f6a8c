import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError, invalidRequest } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/if-match.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { newOutputSchema, outputChangeSchema, outputIdSchema, outputSchema } from '#schemas/api/outputs.ts';
import { outputRecord } from '../output-record.ts';
import { type ChangesWhatWasRead, OutputRefused, type Outputs } from '../outputs.ts';
import { findOutput, listOutputs, type OutputRow } from '../tables/outputs.ts';
import { filterNamesKnownRules } from './known-rules.ts';

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
        operationId: 'listOutputs',
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
        operationId: 'createOutput',
        summary: 'Make an output',
        description:
          'A receiver of detections from now on: syslog, a webhook, a Kafka topic, a chat, or workflows. Its secrets are encrypted, and no response contains them.',
        tags,
        body: newOutputSchema.check(filterNamesKnownRules),
        response: {
          201: outputSchema.describe('The output; its ETag in the header too.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const row = await outputs.create(request.body, by).catch(refuse);
      return tagged(reply.code(201), row);
    },
  );

  app.get(
    '/api/outputs/:id',
    {
      config,
      schema: {
        operationId: 'getOutput',
        summary: 'Read an output',
        description: 'Its definition. Of its secrets only the names.',
        tags,
        params: outputParams,
        response: {
          200: outputSchema.describe('The output; its ETag in the header too.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async ({ params }, reply) => tagged(reply, (await findOutput(database, params.id)) ?? none()),
  );

  app.patch(
    '/api/outputs/:id',
    {
      config,
      schema: {
        operationId: 'changeOutput',
        summary: 'Change an output',
        description:
          'What is left out stays as it is, and so does its cursor: waiting messages are sent by the new definition, at once. A new receiver needs its secrets again. With the header If-Match it is changed only if it did not change since it was read (412 otherwise).',
        tags,
        params: outputParams,
        headers: ifMatchHeaders('output'),
        body: outputChangeSchema.check(filterNamesKnownRules),
        response: {
          200: outputSchema.describe('The output as it is now; its ETag in the header too.'),
          ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) =>
      tagged(
        reply,
        (await outputs.change(request.params.id, request.body, changesWhatWasRead(request)).catch(refuse)) ?? none(),
      ),
  );

  app.delete(
    '/api/outputs/:id',
    {
      config,
      schema: {
        operationId: 'deleteOutput',
        summary: 'Remove an output',
        description:
          'With its waiting and its refused messages. With the header If-Match only if it did not change since it was read (412 otherwise).',
        tags,
        params: outputParams,
        headers: ifMatchHeaders('output'),
        response: {
          204: z.undefined().describe('It is gone.'),
          ...errorResponses(400, 401, 403, 404, 412, 429, 503),
        },
      },
    },
    async (request, reply) => {
      if (!(await outputs.remove(request.params.id, changesWhatWasRead(request)).catch(refuse))) none();
      return reply.code(204).send();
    },
  );
}

/** The response for an output that does not exist. */
export function none(): never {
  throw apiError('not_found', 'there is no output with this id');
}

/** What is answered, its ETag in the header as well. */
function tagged(reply: FastifyReply, row: OutputRow) {
  const record = outputRecord(row);
  reply.header('etag', record.etag);
  return record;
}

function changesWhatWasRead(request: FastifyRequest): ChangesWhatWasRead {
  return { actor: actorOf(request.caller), origin: originOf(request), ifMatch: request.headers['if-match'] };
}

function refuse(error: unknown): never {
  if (!(error instanceof OutputRefused)) throw error;
  const { reason } = error;
  if (reason === 'changed_meanwhile') throw changedSinceRead();
  if (reason === 'taken') throw apiError('conflict', 'another output has this name', 'name');
  if (reason === 'unavailable')
    throw apiError('invalid_value', 'this installation has nothing to reach such a receiver by', 'type');
  throw invalidRequest(reason);
}
