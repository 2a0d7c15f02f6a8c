import { OutboundFailure } from './port.ts';

/** Decide where a request goes or where it ends: those are the guard's to set. */
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

/** Throws `forbidden_header` for a header that is malformed (a line break would begin another) or not the caller's to set. */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || !VALUE.test(value)) throw new OutboundFailure('forbidden_header', 'a header is malformed');
    if (OWN_HEADERS.has(name.toLowerCase()))
      throw new OutboundFailure('forbidden_header', `the header ${name.toLowerCase()} can not be set`);
  }
}
