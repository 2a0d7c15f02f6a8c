import { isIP } from 'node:net';

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** The host name (RP ID). */
  readonly id: string;
  readonly origin: string;
}

const LOOPBACK = ['127.0.0.1', '[::1]'];

/**
 * The relying party of the address people reach the server at; undefined where browsers offer no passkeys: at an IP address, and over http but
 * for localhost. A server on a loopback address is reached by that name too.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin, port } = new URL(publicUrl);
  if (protocol === 'http:' && LOOPBACK.includes(hostname))
    return { id: 'localhost', origin: `http://localhost${port === '' ? '' : `:${port}`}` };
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return protocol === 'https:' || local ? { id: hostname, origin } : undefined;
}
