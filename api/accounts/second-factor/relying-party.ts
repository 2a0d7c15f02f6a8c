import { isIP } from 'node:net';

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** The host name (RP ID). */
  readonly id: string;
  readonly origin: string;
}

/**
 * The relying party of the address people reach the server at; undefined where browsers offer no passkeys: at an IP address, and over http but
 * for localhost.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return protocol === 'https:' || local ? { id: hostname, origin } : undefined;
}
