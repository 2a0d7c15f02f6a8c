import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly port: number;
  /** The whole request; called for each with the number of its connection. */
  readonly request: (connection: number) => string;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second, at even distances; not set: as many as are answered. */
  readonly perSecond?: number;
}

export interface HttpLoadResult {
  readonly perSecond: number;
  /** From the moment a request was due to the last byte of its answer, ms. */
  readonly latencies: readonly number[];
}

const HEAD_END = '\r\n\r\n';

/**
 * Asks over kept connections, one request at a time on each. Plain sockets: a client that did more would be what is measured. Rejects when an
 * answer is not 200, so that a fast refusal is not taken for a fast answer.
 */
export async function loadHttp({
  port,
  request,
  connections,
  durationMs,
  perSecond,
}: HttpLoad): Promise<HttpLoadResult> {
  const latencies: number[] = [];
  const begun = performance.now();
  const end = begun + durationMs;
  let due = 0;
  const lanes = Array.from({ length: connections }, async (_, connection) => {
    const lane = await openLane(port);
    try {
      while (performance.now() < end) {
        let at = performance.now();
        if (perSecond !== undefined) {
          at = begun + (1000 * due++) / perSecond;
          if (at >= end) break;
          const wait = at - performance.now();
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
          // Timers come in whole milliseconds; a request is not late because its timer was.
          at = Math.max(at, performance.now());
        }
        await lane.ask(request(connection));
        latencies.push(performance.now() - at);
      }
    } finally {
      lane.close();
    }
  });
  await Promise.all(lanes);
  return { perSecond: (latencies.length / (performance.now() - begun)) * 1000, latencies };
}

interface Lane {
  ask(request: string): Promise<void>;
  close(): void;
}

async function openLane(port: number): Promise<Lane> {
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
    if (!received.startsWith('HTTP/1.1 200') || length === undefined)
      return waiting?.reject(new Error(`not the answer that was expected: ${received.slice(0, 400)}`));
    if (received.length < head + HEAD_END.length + Number(length)) return;
    received = '';
    waiting?.resolve();
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    ask(request) {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => void socket.destroy(),
  };
}
