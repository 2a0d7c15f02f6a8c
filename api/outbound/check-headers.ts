import { OutboundFailure } from './port.ts';

/** Headers that determine the destination or the length of a request. Only the guard may set them. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Throws `forbidden_header` for a malformed header (a line break would begin another header), or for one that only the
 * guard may set.
 */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || !VALUE.test(value)) throw new OutboundFailure('forbidden_header', 'a header is malformed');
    if (OWN_HEADERS.has(name.toLowerCase()))
      throw new OutboundFailure('forbidden_header', `the header ${name.toLowerCase()} cannot be set`);
  }
}
