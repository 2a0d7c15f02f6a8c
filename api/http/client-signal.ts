import type { FastifyReply } from 'fastify';

/** Aborts when the client disconnects before its answer is complete. */
export function clientSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new Error('the client disconnected'));
  });
  return gone.signal;
}
