import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { addressGroup } from './limits/address-group.ts';
import { limitPipelining } from './pipelining.ts';

export interface ConnectionLimits {
  /** Maximum number of open connections. Default 8,192. */
  readonly maxConnections?: number;
  /** Maximum number of open connections per address. Default 1,024. */
  readonly maxOfAddress?: number;
  /** Maximum number of requests of one connection without a complete response. Default 16. */
  readonly maxPipelined?: number;
  /** True for proxies. Their connections carry requests of many clients, so the limit per address does not apply. */
  readonly isProxy?: (address: string) => boolean;
  /** Time-out for the headers of a request. Default 15 s. */
  readonly headersMs?: number;
  /** Time-out for a whole request. Default 120 s. */
  readonly requestMs?: number;
  /**
   * Idle time before a kept connection is closed. It exceeds the idle time of common proxies, which would otherwise
   * send into a closing connection. Default 72 s.
   */
  readonly keepAliveMs?: number;
  /**
   * Time without a byte in either direction, as when a client does not read. Default 120 s. Long responses send a
   * keep-alive every 15 s.
   */
  readonly silenceMs?: number;
}

const DEFAULTS = {
  maxConnections: 8_192,
  maxOfAddress: 1_024,
  maxPipelined: 16,
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 72_000,
  silenceMs: 120_000,
  isProxy: () => false,
} as const satisfies Required<ConnectionLimits>;

/** Maximum interval at which Node checks for requests that exceed their time-out, ms. */
const MAX_CHECK_MS = 2_000;

/** Creates a server, with a certificate one over TLS. */
export interface ServerFactory {
  (handler: RequestListener): Server;
  (handler: RequestListener, tls: { readonly cert: string; readonly key: string }): TlsServer;
}

/**
 * Returns a function that creates servers with connection limits: the number of connections, in total and per address,
 * the number of pipelined requests, and time-outs for headers, requests, idle connections and reading of responses. A
 * connection over a limit is closed immediately. All servers of one limiter share the counts.
 */
export function createServers(registry: Registry, given: ConnectionLimits): ServerFactory {
  const limits = { ...DEFAULTS, ...given };
  const open = new Map<string, number>();
  let all = 0;
  const refused = new Counter({
    name: 'trapline_http_connections_refused_total',
    help: 'Connections that were closed because a limit was reached: open connections in total or of the address, or requests of the connection without a response.',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of ['all', 'address', 'requests']) refused.inc({ limit }, 0);
  new Gauge({
    name: 'trapline_http_connections',
    help: 'Open connections.',
    registers: [registry],
    collect() {
      this.set(all);
    },
  });

  const options = {
    requireHostHeader: false, // Node's own refusal has no envelope; the plugin host-header responds instead
    connectionsCheckingInterval: Math.min(MAX_CHECK_MS, limits.headersMs),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
  };

  return ((handler: RequestListener, tls?: { readonly cert: string; readonly key: string }) => {
    const limited = limitPipelining(handler, limits.maxPipelined, () => refused.inc({ limit: 'requests' }));
    const server =
      tls === undefined
        ? createServer(options, limited)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersMs }, limited);
    server.maxConnections = limits.maxConnections;
    server.setTimeout(limits.silenceMs);
    server.on('drop', () => refused.inc({ limit: 'all' }));
    server.on('connection', count);
    return server;
  }) as ServerFactory;

  function count(socket: Socket): void {
    all += 1;
    socket.once('close', () => {
      all -= 1;
    });
    const { remoteAddress = '' } = socket;
    if (!limits.isProxy(remoteAddress)) countAddress(socket, addressGroup(remoteAddress));
  }

  function countAddress(socket: Socket, address: string): void {
    const others = open.get(address) ?? 0;
    if (others >= limits.maxOfAddress) {
      refused.inc({ limit: 'address' });
      socket.destroy();
      return;
    }
    open.set(address, others + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  }
}
