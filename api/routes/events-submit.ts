import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ErrorEnvelope } from '#schemas/api/error-envelope.ts';
import { ApiError, envelopeOf, invalidRequest } from '../http/api-error.ts';
import { queueFull } from '../http/read-body.ts';
import { splitBody } from '../http/split-body.ts';
import type { SubmitEvents, SubmitResult } from '../ports.ts';

const headersSchema = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'at most 200 printable ASCII characters without spaces are expected')
    .optional(),
});

/**
 * POST /api/events: one event, an array, or one a line. Answers when everything is durable: 200 with what was accepted and
 * what was rejected, 400 when all were (rejected ones are dead letters), 429 when the queue is full and nothing was taken.
 */
export function submitEventsRoute(app: FastifyInstance, submitEvents: SubmitEvents): void {
  app.post('/api/events', async (request, reply): Promise<SubmitResult | (ErrorEnvelope & SubmitResult)> => {
    const headers = headersSchema.safeParse(request.headers);
    if (!headers.success) throw invalidRequest(headers.error);
    const idempotencyKey = headers.data['idempotency-key'];
    const items = splitBody(bodyOf(request.body));
    const result = await submitEvents({ items, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    if (result === 'full') throw queueFull();
    if (result.rejected.length < items.length) return { accepted: result.accepted, rejected: result.rejected };
    reply.code(400);
    return { ...envelopeOf(refusalOf(result), request.id), ...result };
  });
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
