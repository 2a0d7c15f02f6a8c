import { isIP } from 'node:net';

/** The site to which passkeys belong. */
export interface RelyingParty {
  /** The host name (RP ID). */
  readonly id: string;
  readonly origin: string;
}

const LOOPBACK = ['127.0.0.1', '[::1]'];

/**
 * Returns the relying party of the public URL. Undefined if browsers offer no passkeys for it: an IP address, or http
 * except for localhost. A server on a loopback address counts as localhost.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin, port } = new URL(publicUrl);
  if (protocol === 'http:' && LOOPBACK.includes(hostname))
    return { id: 'localhost', origin: `http://localhost${port === '' ? '' : `:${port}`}` };
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return protocol === 'https:' || local ? { id: hostname, origin } : undefined;
}
