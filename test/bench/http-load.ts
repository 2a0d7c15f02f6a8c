import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly port: number;
  /** The whole request; called for each with the number of its connection. */
  readonly request: (connection: number) => string;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second, at even distances; not set: as many as are answered. */
  readonly perSecond?: number;
  /** What every answer has to have. Default 200. */
  readonly status?: number;
}

export interface HttpLoadResult {
  readonly perSecond: number;
  /** From the moment a request was due to the last byte of its answer, ms. */
  readonly latencies: readonly number[];
}

const HEAD_END = '\r\n\r\n';

/**
 * Asks over kept connections, one request at a time on each. Plain sockets: a client that did more would be what is measured. Rejects when an
 * answer has another status, so that a fast refusal is not taken for a fast answer.
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
          // Late because every connection waited for an answer, it is late; that its timer came early or late is not its fault.
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

/** A connection that is kept. */
export interface Lane {
  /** Resolves when the last byte of the answer is there; one at a time. Rejects when it has another status. */
  ask(request: string): Promise<void>;
  close(): void;
}

/** Resolves when it is connected; every answer over it has to have `status`. */
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
      // A write to a closed connection would be lost without an error.
      if (socket.destroyed) return Promise.reject(new Error('the server closed the connection'));
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => void socket.destroy(),
  };
}
