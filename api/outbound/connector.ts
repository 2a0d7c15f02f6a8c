import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { OutboundFailure } from './port.ts';

export interface ConnectorOptions {
  /** Addresses that were classified; tried in this order. */
  readonly addresses: readonly string[];
  /** Name or address in the URL: whose certificate is expected. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly timeoutMs: number;
  /** Certificates to trust, PEM. Not set: those of the runtime. */
  readonly ca?: string | undefined;
  /** Protocols offered over TLS. Default: HTTP/1.1. */
  readonly alpn?: readonly string[] | undefined;
}

/**
 * Connects to the given addresses, whatever host name undici has. Nothing is looked up here, so nothing can resolve differently from
 * what was classified; a hook in `lookup` would not even be called for addresses in the URL.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (_wanted, callback) => {
    connectToFirst(options).then(
      (socket) => callback(null, socket),
      (cause: unknown) =>
        callback(new OutboundFailure('unreachable', 'the server can not be connected to', { cause }), null),
    );
  };
}

/** Connects to the first of the addresses that answers. Rejects with the error of the last. */
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

function connectTo(address: string, { host, port, secure, timeoutMs, ca, alpn = ['http/1.1'] }: ConnectorOptions) {
  return new Promise<Socket | TLSSocket>((resolve, reject) => {
    const where = { host: address, port, autoSelectFamily: false };
    const socket = secure
      ? connectTls({
          ...where,
          ALPNProtocols: [...alpn],
          // An address has no server name; its certificate is checked against the address connected to.
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined ? {} : { ca }),
        })
      : connectTcp(where);
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', fail);
    socket.setNoDelay(true);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
