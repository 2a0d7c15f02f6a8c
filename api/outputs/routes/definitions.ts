import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError, invalidRequest } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import { outputChangeSchema, outputIdSchema, outputKindSchema, outputSchema } from '#schemas/api/outputs.ts';
import { newOutputSchema } from '../kind-registry.ts';
import { outputRecords } from '../output-record.ts';
import { type ConditionalChange, OutputRefused, type Outputs } from '../outputs.ts';
import { findOutput, listOutputs, type OutputRow } from '../tables/outputs.ts';
import { filterNamesKnownRules } from './known-rules.ts';

export interface OutputRoutesDeps {
  readonly database: Database;
  readonly outputs: Outputs;
}

const config = { access: { by: 'admin' } } as const;
const tags = ['outputs'];
export const outputParams = z.object({ id: outputIdSchema.describe('Id of the output') });

/**
 * GET /api/output-kinds; GET and POST /api/outputs; GET, PATCH and DELETE /api/outputs/:id.
 * Long: each route includes its description.
 */
export function outputDefinitionRoutes(app: ApiServer, { database, outputs }: OutputRoutesDeps): void {
  app.get(
    '/api/output-kinds',
    {
      config,
      schema: {
        operationId: 'listOutputKinds',
        summary: 'List the kinds of outputs',
        description: 'All kinds of receivers, with their settings and secrets.',
        tags,
        response: {
          200: z.object({ data: z.array(outputKindSchema) }).describe('The kinds.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: outputs.kinds() }),
  );

  app.get(
    '/api/outputs',
    {
      config,
      schema: {
        operationId: 'listOutputs',
        summary: 'List the outputs',
        description: 'All receivers of detections, by name. Secrets are listed by name only.',
        tags,
        response: {
          200: z.object({ data: z.array(outputSchema) }).describe('The outputs.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: await outputRecords(database, await listOutputs(database)) }),
  );

  app.post(
    '/api/outputs',
    {
      config,
      schema: {
        operationId: 'createOutput',
        summary: 'Create an output',
        description:
          'Creates a receiver of detections. It receives detections from now on. Its secrets are encrypted and never returned.',
        tags,
        body: newOutputSchema.check(filterNamesKnownRules),
        response: {
          201: outputSchema.describe('The output; the header ETag repeats its ETag.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const row = await outputs.create(request.body, by).catch(refuse);
      return tagged(reply.code(201), database, row);
    },
  );

  app.get(
    '/api/outputs/:id',
    {
      config,
      schema: {
        operationId: 'getOutput',
        summary: 'Read an output',
        description: 'The definition of the output. Secrets are listed by name only.',
        tags,
        params: outputParams,
        response: {
          200: outputSchema.describe('The output; the header ETag repeats its ETag.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async ({ params }, reply) => tagged(reply, database, (await findOutput(database, params.id)) ?? none()),
  );

  app.patch(
    '/api/outputs/:id',
    {
      config,
      schema: {
        operationId: 'changeOutput',
        summary: 'Change an output',
        description:
          'Omitted fields stay as they are, and so does the cursor: waiting messages are sent immediately with the new definition. If the receiver changes, its secrets must be set again. With the header If-Match, the change fails with 412 if the output changed since it was read.',
        tags,
        params: outputParams,
        headers: ifMatchHeaders('output'),
        body: outputChangeSchema.check(filterNamesKnownRules),
        response: {
          200: outputSchema.describe('The changed output; the header ETag repeats its ETag.'),
          ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) =>
      tagged(
        reply,
        database,
        (await outputs.change(request.params.id, request.body, conditionalChange(request)).catch(refuse)) ?? none(),
      ),
  );

  app.delete(
    '/api/outputs/:id',
    {
      config,
      schema: {
        operationId: 'deleteOutput',
        summary: 'Delete an output',
        description:
          'Deletes the output with its waiting and refused messages. With the header If-Match, the request fails with 412 if the output changed since it was read.',
        tags,
        params: outputParams,
        headers: ifMatchHeaders('output'),
        response: {
          204: z.undefined().describe('The output is deleted.'),
          ...errorResponses(400, 401, 403, 404, 412, 429, 503),
        },
      },
    },
    async (request, reply) => {
      if (!(await outputs.remove(request.params.id, conditionalChange(request)).catch(refuse))) none();
      return reply.code(204).send();
    },
  );
}

/** Throws the 404 for an output that does not exist. */
export function none(): never {
  throw apiError('not_found', 'there is no output with this id');
}

/** Returns the record of an output, and sets the header ETag. */
async function tagged(reply: FastifyReply, database: Database, row: OutputRow) {
  const [record] = (await outputRecords(database, [row])) as [z.input<typeof outputSchema>];
  reply.header('etag', record.etag);
  return record;
}

function conditionalChange(request: FastifyRequest): ConditionalChange {
  return { actor: actorOf(request.caller), origin: originOf(request), ifMatch: request.headers['if-match'] };
}

function refuse(error: unknown): never {
  if (!(error instanceof OutputRefused)) throw error;
  const { reason } = error;
  switch (reason.code) {
    case 'changed_since_read':
      throw changedSinceRead();
    case 'no_cases':
      throw apiError('invalid_value', 'outputs of this kind send no cases', 'filter.cases');
    case 'name_taken':
      throw apiError('conflict', 'another output has this name', 'name');
    case 'unavailable':
      throw apiError('invalid_value', reason.message, 'type');
    case 'invalid':
      throw invalidRequest(reason.error);
  }
}
