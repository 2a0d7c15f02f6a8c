import type { IncomingMessage } from 'node:http';

/** True if the headers of a request declare a body (RFC 9112, 6). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
