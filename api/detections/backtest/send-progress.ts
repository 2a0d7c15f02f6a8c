import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { envelopeOf } from '#api/http/api-error.ts';
import { refusalFor } from '#api/http/plugins/errors.ts';

const EVENTS = 'text/event-stream';
/** Interval of the comments that keep the connection alive while a back-test waits, ms. */
const KEEP_ALIVE_MS = 15_000;

/** Description of both response types of a back-test: JSON, or server-sent events for clients that accept them. */
export const PROGRESS_DESCRIPTION =
  'With `Accept: text/event-stream` the response is a stream of server-sent events: `position` with `{"position": N}` for each position in the queue, and 0 when the back-test begins; `progress` with `{"judged": N, "total": M}` while events are judged, at most twice a second; finally `result` with the result, or `failure` with an error envelope. A client that closes the connection cancels its back-test.';

/** Minimum interval between progress reports of a back-test, ms. */
const PROGRESS_EVERY_MS = 500;

/** Progress callbacks of a back-test, for a client that accepts server-sent events. */
export interface BacktestReport {
  /** Receives the position in the queue, from 1; 0 when the back-test begins. */
  readonly onPosition: (position: number) => void;
  /** Receives the number of events judged so far and their total. */
  readonly onJudged: (judged: number, total: number) => void;
}

/**
 * Responds with the result of `run`. A client that accepts server-sent events receives progress reports first; for
 * other clients `run` gets no callbacks. A back-test that is refused before it is queued gets the status of its error
 * in both cases.
 */
export async function sendProgress<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  run: (report?: BacktestReport) => Promise<Result>,
): Promise<Result | FastifyReply> {
  if (request.headers.accept?.includes(EVENTS) !== true) return run();
  const body = new PassThrough();
  const placed = Promise.withResolvers<void>();
  const write = (event: string, data: object) => body.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  let reportedAt = Number.NEGATIVE_INFINITY;
  const result = run({
    onPosition(position) {
      write('position', { position });
      placed.resolve();
    },
    onJudged(judged, total) {
      if (performance.now() < reportedAt + PROGRESS_EVERY_MS) return;
      reportedAt = performance.now();
      write('progress', { judged, total });
    },
  });
  // Rejects if the queue refuses the back-test.
  await Promise.race([placed.promise, result]);
  const alive = setInterval(() => body.write(': waiting\n\n'), KEEP_ALIVE_MS);
  void result
    .then((found) => write('result', found as object))
    .catch((error: unknown) => {
      const refusal = refusalFor(error, { isTemporary, refusalOf: () => undefined });
      if (refusal.statusCode >= 500 && !reply.raw.destroyed) request.log.error({ err: error }, 'back-test failed');
      write('failure', envelopeOf(refusal, request.id));
    })
    .finally(() => {
      clearInterval(alive);
      body.end();
    });
  return reply
    .type(`${EVENTS}; charset=utf-8`)
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(body);
}
