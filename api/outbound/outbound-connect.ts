import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createAllowList } from './allow-list.ts';
import { checkUrl } from './check-url.ts';
import { connectionFailure } from './connection-failure.ts';
import { connectToFirst } from './connector.ts';
import type { OutboundDeps } from './outbound-fetch.ts';
import { type ClientCertificate, OutboundFailure } from './port.ts';
import { resolveDestination } from './resolve-destination.ts';
import { createNameResolver } from './resolve-name.ts';

/** Destination of a connection with a protocol other than HTTP/1.1. */
export interface OutboundTarget {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Protocols offered over TLS (ALPN). */
  readonly alpn?: readonly string[];
  /** Client certificate for this connection. */
  readonly certificate?: ClientCertificate | undefined;
}

/**
 * Connects to addresses that users chose, with the same guard as `OutboundFetch`. Functions reject only with
 * `OutboundFailure`.
 */
export interface OutboundConnect {
  /** Returns the classified addresses of a target. */
  addresses(target: OutboundTarget): Promise<readonly string[]>;
  /** Connects to one of the classified addresses. */
  connect(target: OutboundTarget): Promise<Socket | TLSSocket>;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Creates connections: checks name and port, resolves once, classifies every address, and connects only to these addresses. */
export function createOutboundConnect({
  allow,
  resolve = createNameResolver(),
  onRefusal = () => {},
  ca,
}: OutboundDeps): OutboundConnect {
  const allowList = createAllowList(allow);

  async function addresses({ host, port, secure }: OutboundTarget): Promise<readonly string[]> {
    try {
      const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
      return await resolveDestination(
        checkUrl(`${secure ? 'https' : 'http'}://${name}:${port}`, allowList),
        resolve,
        allowList,
      );
    } catch (error) {
      if (error instanceof OutboundFailure && error.reason.startsWith('forbidden_'))
        onRefusal({ reason: error.reason as 'forbidden_url', message: error.message, origin: undefined });
      throw error;
    }
  }

  return {
    addresses,
    async connect(target) {
      const found = await addresses(target);
      try {
        return await connectToFirst({ ...target, addresses: found, timeoutMs: CONNECT_TIMEOUT_MS, ca });
      } catch (cause) {
        throw connectionFailure(cause);
      }
    },
  };
}
