import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault that affects one request. */
export type Fault =
  /** The proxy responds. `after`: the target has processed the request, and only its response is lost. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly after?: true;
    }
  /** The connection is cut: at once, or after `afterBytes` of the response body. */
  | { readonly cut: true; readonly afterBytes?: number }
  /** The request never gets a response. */
  | { readonly silent: true };

/** A request as received by the proxy. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** True if the request was forwarded to the target. */
  readonly passed: boolean;
}

export interface FaultyProxy {
  readonly url: string;
  /** Sets the faults of the next requests, in order, and discards earlier faults. Later requests pass. */
  fail(...faults: readonly Fault[]): void;
  /** Returns the requests since the last call. */
  seen(): SeenRequest[];
  stop(): Promise<void>;
}

/**
 * Starts an HTTP relay on loopback between a client and the real server, which causes faults that the server cannot
 * cause on demand. Tests in other languages control it with `POST /-/faults` (a JSON array of faults) and `GET
 * /-/seen`.
 */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  const seen: SeenRequest[] = [];
  const takeSeen = () => seen.splice(0);
  const server = createServer((incoming, outgoing) => {
    incoming.on('error', () => outgoing.destroy());
    if (incoming.url === '/-/faults') return void steer(incoming, outgoing, faults);
    if (incoming.url === '/-/seen') return void outgoing.end(JSON.stringify(takeSeen()));
    const fault = faults.shift();
    const passed = fault === undefined || 'afterBytes' in fault || 'after' in fault;
    const { method = '', url = '', headers } = incoming;
    seen.push({ method, url, headers, passed });
    if (passed) return pass(target, incoming, outgoing, fault);
    return void incoming.resume().on('end', () => misbehave(outgoing, fault));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (...wanted) => void faults.splice(0, faults.length, ...wanted),
    seen: takeSeen,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function steer(incoming: IncomingMessage, outgoing: ServerResponse, faults: Fault[]): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  faults.splice(0, faults.length, ...(JSON.parse(Buffer.concat(pieces).toString()) as Fault[]));
  outgoing.writeHead(204).end();
}

function misbehave(outgoing: ServerResponse, fault: Fault): void {
  if ('cut' in fault) outgoing.destroy();
  else if ('status' in fault) outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '');
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  const { method, headers } = incoming;
  const upstream = request(new URL(target).origin + incoming.url, { method, headers }, (answer) => {
    if (fault !== undefined && 'status' in fault)
      return void answer.resume().on('end', () => misbehave(outgoing, fault));
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    outgoing.flushHeaders();
    let left = fault !== undefined && 'afterBytes' in fault ? (fault.afterBytes ?? 0) : Number.POSITIVE_INFINITY;
    let cut = false;
    answer.on('data', (piece: Buffer) => {
      if (cut) return;
      cut = piece.length >= left;
      if (cut && left === 0) return void outgoing.destroy();
      if (cut) return void outgoing.write(piece.subarray(0, left), () => outgoing.destroy());
      left -= piece.length;
      outgoing.write(piece);
    });
    answer.on('end', () => cut || outgoing.end());
    answer.on('error', () => outgoing.destroy());
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}
