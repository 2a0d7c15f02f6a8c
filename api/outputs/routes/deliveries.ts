import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { CURSOR_PAGE } from '#api/http/queries/page-query.ts';
import { deliveriesSchema, outputTestSchema, resendSchema } from '#schemas/api/outputs.ts';
import { outputDeadLetterRecord, progressRecord } from '../output-record.ts';
import { listDeadLettersOf } from '../tables/output-dead-letters.ts';
import { waitingMessages } from '../tables/output-messages.ts';
import { findOutput } from '../tables/outputs.ts';
import { none, type OutputRoutesDeps, outputParams } from './definitions.ts';

const config = { access: { by: 'admin' } } as const;
const tags = ['outputs'];
const MAX_LAG = 10_000;

const pageQuery = z.strictObject({
  limit: CURSOR_PAGE.limit,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be `nextCursor` of the previous page')
    .transform(Number)
    .optional()
    .describe('`nextCursor` of the previous page'),
});

/** Deliveries: GET /api/outputs/:id/deliveries, POST /api/outputs/:id/test, POST /api/outputs/:id/resend. */
export function outputDeliveryRoutes(app: ApiServer, { database, outputs }: OutputRoutesDeps): void {
  app.get(
    '/api/outputs/:id/deliveries',
    {
      config,
      schema: {
        operationId: 'getOutputDeliveries',
        summary: 'Get the state of deliveries',
        description:
          'The state of the receiver, the number and age of waiting messages, the last error, and permanently refused messages, newest first.',
        tags,
        params: outputParams,
        querystring: pageQuery,
        response: {
          200: deliveriesSchema.describe('State, lag and dead letters.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async ({ params: { id }, query: { limit, cursor } }) => {
      const row = (await findOutput(database, id)) ?? none();
      const [lag, letters] = await Promise.all([
        waitingMessages(database, row.cursor, row.filter, MAX_LAG),
        listDeadLettersOf(database, id, { limit: limit + 1, before: cursor }),
      ]);
      const page = letters.slice(0, limit);
      const nextCursor = letters.length > limit ? String(page.at(-1)?.id) : null;
      return {
        ...progressRecord(row, lag, new Date()),
        deadLetters: { data: page.map(outputDeadLetterRecord), nextCursor },
      };
    },
  );

  app.post(
    '/api/outputs/:id/test',
    {
      config,
      schema: {
        operationId: 'testOutput',
        summary: 'Test an output',
        description:
          'Sends a marked test detection immediately, outside the queue, and returns the response of the receiver. Also works for a disabled output.',
        tags,
        params: outputParams,
        response: {
          200: outputTestSchema.describe('The response of the receiver.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      return (await outputs.test(request.params.id, by)) ?? none();
    },
  );

  app.post(
    '/api/outputs/:id/resend',
    {
      config,
      schema: {
        operationId: 'resendOutputDeadLetters',
        summary: 'Resend dead letters',
        description: 'Resends refused messages, all or by id, in their original order, before the waiting ones.',
        tags,
        params: outputParams,
        body: resendSchema,
        response: {
          202: z.object({ count: z.int().describe('How many are sent again') }).describe('The messages are queued.'),
          ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const count = (await outputs.resend(request.params.id, request.body.ids, by)) ?? none();
      return reply.code(202).send({ count });
    },
  );
}
