import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A syslog server that parses octet-counted frames (RFC 6587, RFC 5425). */
export async function syslogServer({
  tls,
  port = 0,
  stay = false,
}: {
  tls?: TlsOptions;
  port?: number;
  stay?: boolean;
} = {}) {
  const frames: string[] = [];
  const leftovers: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    let rest: Buffer = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (rest.length > 0) leftovers.push(rest.toString());
    });
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (let cut = cutFrame(rest); cut !== undefined; cut = cutFrame(rest)) {
        frames.push(cut.frame.toString());
        rest = cut.rest;
      }
    });
  };
  const options = { allowHalfOpen: stay };
  const server: Server =
    tls === undefined ? createTcpServer(options, serve) : createTlsServer({ ...tls, ...options }, serve);
  const listening = await listen(server, port);
  const close = async () => {
    for (const socket of sockets) socket.resetAndDestroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { frames, leftovers, port: listening, close };
}

function cutFrame(bytes: Buffer): { frame: Buffer; rest: Buffer } | undefined {
  const blank = bytes.indexOf(0x20);
  const length = Number(bytes.subarray(0, blank).toString());
  if (blank < 1 || bytes.length < blank + 1 + length) return undefined;
  return { frame: bytes.subarray(blank + 1, blank + 1 + length), rest: bytes.subarray(blank + 1 + length) };
}

export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

export interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * An HTTP server that records requests. `answer` returns the response; a number is a status. A request counts as
 * received only after a 2xx response.
 */
export async function httpReceiver(
  answer: (received: Received) => Answer | Promise<Answer> = () => ({ status: 200, body: 'ok' }),
  port = 0,
) {
  const taken: Received[] = [];
  const tried: Received[] = [];
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { method = '', url: target = '' } = request;
      const bytes = Buffer.concat(chunks);
      const received = { method, target, headers: request.headers, body: bytes.toString(), bytes };
      tried.push(received);
      const { status, body = '', headers = {} } = await answer(received);
      if (status >= 200 && status < 300) taken.push(received);
      response.writeHead(status, headers).end(body);
    });
  });
  const listening = await listen(server, port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { taken, tried, port: listening, url: `http://127.0.0.1:${listening}/hook`, close };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
