import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the requests of one connection that have no complete response (HTTP pipelining). At the limit, the connection
 * is closed, as RFC 9112 (9.3.2) allows: Node begins every request that it reads, and keeps the responses in memory
 * while the client does not read them. Returns the listener with the limit.
 */
export function limitPipelining(listener: RequestListener, max: number, onClosed: () => void): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // The parser goes on to the end of what it has read.
    if (socket.destroyed) return;
    const others = unanswered.get(socket) ?? 0;
    if (others >= max) {
      onClosed();
      socket.destroy();
      return;
    }
    unanswered.set(socket, others + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
