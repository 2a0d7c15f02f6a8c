import { isIP } from 'node:net';
import type { AllowList } from './allow-list.ts';
import { OutboundFailure } from './port.ts';

/** Destination of a request. */
export interface Destination {
  readonly url: URL;
  /** A name without a trailing dot, or an address without brackets. Lower case. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
}

const MAX_URL = 8_192;
/** Ports from 1024 on of other protocols that an HTTP request can confuse: the blocked ports of the Fetch standard. */
const BLOCKED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Parses a URL strictly: http or https, no user and password, and an HTTP port (80, 443, or from 1024 on except ports
 * of other protocols). The operator's list permits other ports. The URL parser has already converted decimal, octal,
 * hexadecimal and full-width spellings to plain addresses. Throws `forbidden_url`.
 */
export function checkUrl(text: string, allow: AllowList): Destination {
  const url = text.length <= MAX_URL ? URL.parse(text) : null;
  if (url === null) throw new OutboundFailure('forbidden_url', 'the address is malformed');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundFailure('forbidden_url', 'only http and https addresses are permitted');
  if (url.username !== '' || url.password !== '')
    throw new OutboundFailure('forbidden_url', 'an address with a user or password is not permitted');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') throw new OutboundFailure('forbidden_url', 'the address has no host');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (!allow.endpoint(host, port)) refuseOtherPorts(port);
  return { url, host, isAddress: isIP(host) !== 0, port };
}

function refuseOtherPorts(port: number): void {
  if (port < 1024 && port !== 80 && port !== 443)
    throw new OutboundFailure(
      'forbidden_url',
      `port ${port} is not permitted: of the ports below 1024 only 80 and 443 are`,
    );
  if (BLOCKED_PORTS.has(port))
    throw new OutboundFailure('forbidden_url', `port ${port} is not permitted: it belongs to another protocol`);
}
