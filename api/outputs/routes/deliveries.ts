import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { CURSOR_PAGE } from '#api/http/page-query.ts';
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
    .regex(/^\d{1,15}$/, '`nextCursor` of the page before is expected')
    .transform(Number)
    .optional()
    .describe('`nextCursor` of the page before'),
});

/** Deliveries: GET /api/outputs/:id/deliveries, POST /api/outputs/:id/test, POST /api/outputs/:id/resend. */
export function outputDeliveryRoutes(app: ApiServer, { database, outputs }: OutputRoutesDeps): void {
  app.get(
    '/api/outputs/:id/deliveries',
    {
      config,
      schema: {
        operationId: 'getOutputDeliveries',
        summary: 'See how deliveries go',
        description:
          'Whether the receiver takes what it is sent, how much waits and since when, the last error, and what it refused for good, the newest first.',
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
        summary: 'Try an output',
        description:
          'Sends a marked test detection at once, outside the queue, and returns the response of the receiver. Also for an output that is not enabled.',
        tags,
        params: outputParams,
        response: {
          200: outputTestSchema.describe('What the receiver said.'),
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
        summary: 'Send dead letters again',
        description: 'Those that were refused, all or by id, in their original order; before the waiting ones.',
        tags,
        params: outputParams,
        body: resendSchema,
        response: {
          202: z.object({ count: z.int().describe('How many are sent again') }).describe('They are sent again.'),
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
