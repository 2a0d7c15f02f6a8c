import { z } from 'zod';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { describedEvent } from '#schemas/events/described.ts';
import { ApiError, envelopeOf } from '../http/api-error.ts';
import type { ApiServer } from '../http/api-server.ts';
import { errorResponses } from '../http/error-responses.ts';
import { queueFull } from '../http/read-body.ts';
import { splitBody } from '../http/split-body.ts';
import type { SubmitEvents, SubmitResult } from '../ports.ts';

const headersSchema = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'at most 200 printable ASCII characters without spaces are expected')
    .optional()
    .describe('the same key with the same events is taken once within 24 hours'),
});

const resultSchema = z.object({
  accepted: z.int().describe('events that have landed'),
  rejected: z.array(
    z.object({
      index: z.int().describe('which element, from 0'),
      code: z.string(),
      path: z.string().describe('JSON path within the element'),
      message: z.string(),
    }),
  ),
});

const SUBMIT = {
  summary: 'Submit events',
  description:
    'One V1 event, an array of them, or one a line (application/x-ndjson); gzip is taken. Answers when everything is durable; what was rejected is kept as dead letters.',
  tags: ['detection service'],
  headers: headersSchema,
  response: {
    200: resultSchema.describe('At least one was accepted.'),
    ...errorResponses(401, 403, 413, 415, 429, 503),
    400: z
      .object({ ...errorEnvelopeSchema.shape, ...resultSchema.partial().shape })
      .describe('The body is malformed, or every event was rejected.'),
  },
};

/**
 * POST /api/events: one event, an array, or one a line. Answers when everything is durable: 200 with what was accepted and
 * what was rejected, 400 when all were (rejected ones are dead letters), 429 when the queue is full and nothing was taken.
 */
export function submitEventsRoute(app: ApiServer, submitEvents: SubmitEvents): void {
  // Not counted among the requests of an address: a detector that reports an attack must not be shut out by it. The queue has its own limit.
  const access = { by: 'key-or-session', scope: 'events:write' } as const;
  const config = { access, limiting: 'none', describedBody: describedBody() } as const;
  app.post('/api/events', { config, schema: SUBMIT }, async (request, reply) => {
    const idempotencyKey = request.headers['idempotency-key'];
    const items = splitBody(bodyOf(request.body));
    const result = await submitEvents({ items, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    if (result === 'full') throw queueFull();
    const answer = { accepted: result.accepted, rejected: [...result.rejected] };
    if (result.rejected.length < items.length) return answer;
    return reply.code(400).send({ ...envelopeOf(refusalOf(result), request.id), ...answer });
  });
}

/** Not checked by it: each event is read by its exact text, and refused by itself. */
function describedBody() {
  const event = describedEvent();
  const lines = { type: 'string', description: 'One event a line' };
  return {
    'application/json': { schema: { oneOf: [event, { type: 'array', items: event }] } },
    'application/x-ndjson': { schema: lines },
  };
}

/** A request without a body has no parser either. */
function bodyOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The rejections once more, in the words of the envelope every answer that is not 2xx has. */
function refusalOf({ rejected }: SubmitResult): ApiError {
  return new ApiError(
    'invalid_value',
    rejected.map(({ index, path, message, code }) => ({
      field: path.replace('$', `[${index}]`),
      message,
      code,
      severity: 'error',
    })),
  );
}
