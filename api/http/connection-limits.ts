import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { addressGroup } from './limits/address-group.ts';

export interface ConnectionLimits {
  /** Open at once, of all addresses. Default 8,192. */
  readonly maxConnections?: number;
  /** Open at once, of one address. Default 1,024. */
  readonly maxOfAddress?: number;
  /** Proxies, whose connections are those of many clients. */
  readonly isProxy?: (address: string) => boolean;
  /** Until the headers of a request have arrived. Default 15 s. */
  readonly headersMs?: number;
  /** Until a whole request has arrived. Default 120 s. */
  readonly requestMs?: number;
  /** Without a request. Longer than proxies keep theirs, which would send into a closing connection. Default 72 s. */
  readonly keepAliveMs?: number;
  /** Without a byte in either direction: a reader that does not read. Default 120 s; answers that last send a sign of life every 15 s. */
  readonly silenceMs?: number;
}

const DEFAULTS = {
  maxConnections: 8_192,
  maxOfAddress: 1_024,
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 72_000,
  silenceMs: 120_000,
  isProxy: () => false,
} as const satisfies Required<ConnectionLimits>;

/** How often Node looks for requests that are late, ms. */
const MAX_CHECK_MS = 2_000;

/**
 * Creates servers whose connections are bounded in what they may take without doing anything: how many there are, of all and of
 * each address, and how long they may take for headers, for a request, between requests, and for reading an answer. Connections
 * over a limit are closed at once. All servers of a limiter count together.
 */
export function createServers(registry: Registry, given: ConnectionLimits): (handler: RequestListener) => Server {
  const limits = { ...DEFAULTS, ...given };
  const open = new Map<string, number>();
  let all = 0;
  const refused = new Counter({
    name: 'trapline_http_connections_refused_total',
    help: 'Connections that were closed because as many as may be were open, of all addresses or of this one.',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of ['all', 'address']) refused.inc({ limit }, 0);
  new Gauge({
    name: 'trapline_http_connections',
    help: 'Connections that are open.',
    registers: [registry],
    collect() {
      this.set(all);
    },
  });

  return (handler) => {
    const server = createServer(
      {
        requireHostHeader: false, // Node's own refusal is bare; the plugin host-header answers in our envelope
        connectionsCheckingInterval: Math.min(MAX_CHECK_MS, limits.headersMs),
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        keepAliveTimeout: limits.keepAliveMs,
      },
      handler,
    );
    server.maxConnections = limits.maxConnections;
    server.setTimeout(limits.silenceMs);
    server.on('drop', () => refused.inc({ limit: 'all' }));
    server.on('connection', count);
    return server;
  };

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
