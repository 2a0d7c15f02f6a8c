import { createHash } from 'node:crypto';
import type { Pool } from 'undici';
import type { Destination } from './check-url.ts';
import { createConnector } from './connector.ts';
import type { ClientCertificate } from './port.ts';

export interface ConnectionOptions {
  readonly connectTimeoutMs: number;
  /** Maximum bytes of all headers of a response. */
  readonly maxHeaderBytes: number;
  readonly ca?: string | undefined;
}

export interface Connections {
  /** Returns a pool of connections to this destination that connect only to these addresses. */
  to(destination: Destination, addresses: readonly string[], certificate?: ClientCertificate): Promise<Pool>;
  close(): Promise<void>;
}

const MAX_POOLS = 64;
const CONNECTIONS_PER_POOL = 16;

/**
 * Keeps connections open between requests. Pools are keyed by name, addresses and client certificate. If a name later
 * resolves differently, it gets another pool, so a request never uses a connection to an address that was not classified
 * for it, nor a connection that another certificate opened.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const pools = new Map<string, Pool>();
  return {
    async to({ url, host, port }, addresses, certificate) {
      // Loaded with the first request: a process without outbound requests saves 4 MiB.
      const undici = await import('undici');
      const key = [url.origin, ...addresses.toSorted(), digestOf(certificate)].join(' ');
      const pool = pools.get(key) ?? open();
      pools.delete(key);
      pools.set(key, pool); // the last entry is the most recently used
      if (pools.size > MAX_POOLS) dropOldest();
      return pool;

      function open(): Pool {
        const secure = url.protocol === 'https:';
        const { connectTimeoutMs: timeoutMs, ca } = options;
        const tls = { ca, certificate };
        return new undici.Pool(url.origin, {
          connect: createConnector({ addresses, host, port, secure, timeoutMs, ...tls }),
          connections: CONNECTIONS_PER_POOL,
          maxHeaderSize: options.maxHeaderBytes,
          allowH2: false,
          pipelining: 1,
        });
      }
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };

  function dropOldest(): void {
    const oldest = pools.entries().next().value;
    if (oldest === undefined) return;
    pools.delete(oldest[0]);
    // Requests in flight are completed in the background.
    oldest[1].close().catch(() => {});
  }
}

/** Returns a digest, because keys of pools must not contain a private key. */
function digestOf(certificate: ClientCertificate | undefined): string {
  if (certificate === undefined) return '';
  const { certificate: chain, key, ca } = certificate;
  return createHash('sha256')
    .update(JSON.stringify([chain, key, ca]))
    .digest('hex');
}
