import { isIP, Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { OutboundConnect } from './outbound-connect.ts';

export interface GuardedSocketOptions {
  readonly host: string;
  readonly port: number;
  /** Set for TLS connections. */
  readonly tls?: ConnectionOptions | undefined;
}

/**
 * Returns a socket immediately, for clients that need one synchronously. It connects to the first address when its name
 * is resolved and every address is classified. Otherwise it is destroyed with the error of the guard.
 */
export function openGuardedSocket(
  outbound: OutboundConnect,
  { host, port, tls }: GuardedSocketOptions,
  onConnect: () => void,
): Socket {
  const raw = new Socket();
  outbound.addresses({ host, port, secure: tls !== undefined }).then(
    ([address]) => {
      if (!raw.destroyed && address !== undefined) raw.connect({ host: address, port, autoSelectFamily: false });
    },
    (error: Error) => raw.destroy(error),
  );
  if (tls === undefined) return raw.once('connect', onConnect);
  return connectTls({ ...(isIP(host) === 0 ? { servername: host } : {}), ...tls, socket: raw }, onConnect);
}
