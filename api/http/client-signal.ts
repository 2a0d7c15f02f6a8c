import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the client disconnects before the response is complete. */
export function clientSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new Error('the client disconnected'));
  });
  return gone.signal;
}
