import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly port: number;
  /** Returns the complete request for a connection number; called once for each request. */
  readonly request: (connection: number) => string;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second, evenly spaced. If not set, each connection sends its next request when it has the response. */
  readonly perSecond?: number;
  /** Expected status of every response. Default: 200. */
  readonly status?: number;
}

export interface HttpLoadResult {
  readonly perSecond: number;
  /** Milliseconds from the time that a request was due until the last byte of its response. */
  readonly latencies: readonly number[];
}

const HEAD_END = '\r\n\r\n';

/**
 * Sends requests over persistent connections, one at a time on each. It uses plain sockets, because the cost of an HTTP
 * client would distort the figures. Rejects when a response has another status, so that errors do not count as fast
 * responses.
 */
export async function loadHttp({
  port,
  request,
  connections,
  durationMs,
  perSecond,
  status = 200,
}: HttpLoad): Promise<HttpLoadResult> {
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(port, status)));
  const latencies: number[] = [];
  const begun = performance.now();
  const end = begun + durationMs;
  let due = 0;
  const asking = lanes.map(async (lane, connection) => {
    try {
      while (performance.now() < end) {
        let at = performance.now();
        if (perSecond !== undefined) {
          at = begun + (1000 * due++) / perSecond;
          if (at >= end) break;
          const wait = at - performance.now();
          // A request that is late because all connections were busy counts from its due time. An early or late timer
          // does not change the latency.
          if (wait > 0) at = await timeAfter(wait);
        }
        await lane.ask(request(connection));
        latencies.push(performance.now() - at);
      }
    } finally {
      lane.close();
    }
  });
  await Promise.all(asking);
  return { perSecond: (latencies.length / (performance.now() - begun)) * 1000, latencies };
}

async function timeAfter(ms: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return performance.now();
}

/** A persistent connection. */
export interface Lane {
  /**
   * Resolves when the last byte of the response has arrived. One request at a time. Rejects when the response has
   * another status.
   */
  ask(request: string): Promise<void>;
  close(): void;
}

/** Resolves when the connection is open. Every response on it must have `status`. */
export async function openLane(port: number, status: number): Promise<Lane> {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let waiting: PromiseWithResolvers<void> | undefined;
  let received = '';
  socket.setEncoding('latin1');
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));
  socket.on('data', (text: string) => {
    received += text;
    const head = received.indexOf(HEAD_END);
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(received)?.[1];
    if (!received.startsWith(`HTTP/1.1 ${status} `) || length === undefined)
      return waiting?.reject(new Error(`not the answer that was expected: ${received.slice(0, 400)}`));
    if (received.length < head + HEAD_END.length + Number(length)) return;
    received = '';
    waiting?.resolve();
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    ask(request) {
      // The socket would discard a write to a closed connection without an error.
      if (socket.destroyed) return Promise.reject(new Error('the server closed the connection'));
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => void socket.destroy(),
  };
}
