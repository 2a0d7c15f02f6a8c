import { z } from 'zod';
import { ApiError, apiError, envelopeOf } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { MAX_EXPANSION, queueFull } from '#api/http/bodies/read-records.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { SubmitEvents, SubmitResult, SubmittedBatch } from '#api/http/ports.ts';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { describedEvent } from '#schemas/events/described.ts';
import { MAX_LISTED_REJECTIONS } from '#schemas/rejection-codes.ts';

const headersSchema = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must have at most 200 printable ASCII characters without spaces')
    .optional()
    .describe('idempotency key: the same events with the same key are accepted once within 24 hours'),
});

const resultSchema = z.object({
  accepted: z.int().describe('number of stored events'),
  rejected: z
    .array(
      z.object({
        index: z.int().describe('index of the element, from 0'),
        code: z.string(),
        path: z.string().describe('JSON path within the element'),
        message: z.string(),
      }),
    )
    .describe(`the first ${MAX_LISTED_REJECTIONS} rejected events, in order`),
  rejectedTotal: z.int().describe('total number of rejected events'),
});

export interface SubmitLimits {
  /** Maximum bytes of one body, decompressed. */
  readonly maxBodyBytes: number;
  /** Maximum number of events in one body. */
  readonly maxRecords: number;
}

const submitSchema = ({ maxBodyBytes, maxRecords }: SubmitLimits) => ({
  operationId: 'submitEvents',
  summary: 'Submit events',
  description: `One V1 event, an array of events, or one event per line (application/x-ndjson), optionally compressed with gzip, deflate, br or zstd. Limits: ${maxRecords} events and ${maxBodyBytes} bytes per request after decompression, and at most ${MAX_EXPANSION} times the compressed size. A larger body gets 413, and none of its events is accepted. Responds when everything is durable. Rejected events are stored as dead letters, except those with the code other_host: the key of an enrolled host accepts only events of this host. A 503 states whether no event was accepted, or whether the outcome is unknown. In both cases the request can safely be repeated with the same Idempotency-Key.`,
  tags: ['detection service'],
  headers: headersSchema,
  response: {
    200: resultSchema.describe('At least one was accepted.'),
    ...errorResponses(401, 403, 408, 413, 415, 429, 503),
    400: z
      .object({ ...errorEnvelopeSchema.shape, ...resultSchema.partial().shape })
      .describe('The body is malformed, or every event was rejected.'),
  },
});

/**
 * POST /api/events: one event, an array, or one event per line. Responds when everything is durable.
 * - 200: some events were accepted. Lists the rejected ones.
 * - 400: all events were rejected. They are stored as dead letters.
 * - 413: the body exceeds a limit. Nothing was accepted.
 * - 429: the queue is full. Nothing was accepted.
 * - 503: events cannot be stored now and nothing was accepted, or their durability was not confirmed in time. The
 *   message states which.
 */
export function submitEventsRoute(app: ApiServer, submitEvents: SubmitEvents, limits: SubmitLimits): void {
  // Not counted toward the limit of an address: a detector that reports an attack must not be blocked because of it.
  // The queue has its own limit.
  const access = { by: 'key-or-session', scope: 'events:write' } as const;
  const config = { access, limiting: 'none', countsBody: true, describedBody: describedBody() } as const;
  app.post('/api/events', { config, schema: submitSchema(limits) }, async (request, reply) => {
    const idempotencyKey = request.headers['idempotency-key'];
    const items = itemsOf(request.body);
    const { caller } = request;
    const result = await submitEvents({
      items,
      trace: request.trace,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(caller?.kind === 'host' ? { hostname: caller.hostname } : {}),
    });
    if (typeof result === 'string') throw NOT_CONFIRMED[result]();
    const { accepted, rejected, rejectedTotal } = result;
    const answer = { accepted, rejected: [...rejected], rejectedTotal };
    if (rejectedTotal < items.length) return answer;
    return reply.code(400).send({ ...envelopeOf(refusalOf(result), request.id), ...answer });
  });
}

const AGAIN = { 'retry-after': '5' };
const NOT_CONFIRMED = {
  full: queueFull,
  unavailable: () => apiError('unavailable', 'events cannot be stored now; nothing was accepted', undefined, AGAIN),
  unconfirmed: () =>
    apiError(
      'unavailable',
      'the events were handed over and are not confirmed as stored; they may be stored later. Repeat the request: with the same Idempotency-Key it stores nothing twice, without one it may',
      undefined,
      AGAIN,
    ),
} as const;

/** Describes the body without validating it. Each event is parsed from its exact text and rejected individually. */
function describedBody() {
  const event = describedEvent();
  const lines = { type: 'string', description: 'One event per line' };
  return {
    'application/json': { schema: { oneOf: [event, { type: 'array', items: event }] } },
    'application/x-ndjson': { schema: lines },
  };
}

/** Returns the parsed records of the body. A request without a body has no parser, and so no records. */
function itemsOf(body: unknown): SubmittedBatch['items'] {
  if (!Array.isArray(body)) throw apiError('required', 'the body holds no event');
  return (body as readonly Buffer[]).map((text, index) => ({ index, text }));
}

/** Converts the rejections to the error envelope of all responses that are not 2xx. */
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
