import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createAllowList } from './allow-list.ts';
import { checkUrl } from './check-url.ts';
import { connectToFirst } from './connector.ts';
import type { OutboundDeps } from './outbound-fetch.ts';
import { OutboundFailure } from './port.ts';
import { resolveBySystem, resolveDestination } from './resolve-destination.ts';

/** Where a connection of a protocol other than HTTP/1.1 goes. */
export interface OutboundTarget {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Protocols offered over TLS. */
  readonly alpn?: readonly string[];
}

/** Connections to addresses that users chose, under the same guard as `OutboundFetch`. Reject with `OutboundFailure` only. */
export interface OutboundConnect {
  /** The classified addresses of a target. */
  addresses(target: OutboundTarget): Promise<readonly string[]>;
  /** A connection to one of them. */
  connect(target: OutboundTarget): Promise<Socket | TLSSocket>;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Checks name and port, resolves once, classifies every address, and connects to exactly those. */
export function createOutboundConnect({
  allow,
  resolve = resolveBySystem,
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
        throw new OutboundFailure('unreachable', 'the server can not be connected to', { cause });
      }
    },
  };
}
