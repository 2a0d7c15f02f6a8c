import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import type { ClientCertificate } from './port.ts';

export interface ConnectorOptions {
  /** Classified addresses, tried in this order. */
  readonly addresses: readonly string[];
  /** Name or address in the URL. The certificate must match it. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly timeoutMs: number;
  /** Trusted certificates, PEM. Not set: those of the runtime. */
  readonly ca?: string | undefined;
  /** Sent if the server requests one. Its authorities replace `ca`. */
  readonly certificate?: ClientCertificate | undefined;
  /** Protocols offered over TLS (ALPN). Default: HTTP/1.1. */
  readonly alpn?: readonly string[] | undefined;
}

/**
 * Creates a connector that connects to the given addresses, whatever host name undici passes. It resolves no names, so
 * the address cannot differ from the classified one. A hook in `lookup` would not be called for addresses in the URL.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (_wanted, callback) => {
    connectToFirst(options).then(
      (socket) => callback(null, socket),
      (cause: unknown) => callback(connectionFailure(cause), null),
    );
  };
}

/** Connects to the first address that accepts the connection. Rejects with the error of the last address. */
export async function connectToFirst(options: ConnectorOptions): Promise<Socket | TLSSocket> {
  let failure: unknown;
  for (const address of options.addresses) {
    try {
      return await connectTo(address, options);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connectTo(address: string, options: ConnectorOptions) {
  const { host, port, secure, timeoutMs, certificate, alpn = ['http/1.1'] } = options;
  const ca = certificate?.ca ?? options.ca;
  return new Promise<Socket | TLSSocket>((resolve, reject) => {
    const where = { host: address, port, autoSelectFamily: false };
    const socket = secure
      ? connectTls({
          ...where,
          ALPNProtocols: [...alpn],
          // TLS has no server name for an address; the certificate is checked against the connected address.
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined ? {} : { ca }),
          ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
        })
      : connectTcp(where);
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error(`no connection within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    // undici would otherwise report the end of the connection, not the TLS alert before it.
    if (secure) socket.on('error', (error) => socket.destroy(error));
    socket.once('error', fail);
    socket.setNoDelay(true);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
