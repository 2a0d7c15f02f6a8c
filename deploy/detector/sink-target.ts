import { usageError } from '../cli/command-error.ts';

export type SinkTarget =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'http'; readonly url: URL }
  /** Topic name without the configured prefix. */
  | { readonly kind: 'kafka'; readonly topic: string };

const EVENTS_PATH = '/api/events';

/** Parses `stdout`, `http(s)://HOST[/PATH]` or `kafka://TOPIC`. Throws a `CommandError` for any other text. */
export function sinkTarget(text: string): SinkTarget {
  if (text === 'stdout' || text === '-') return { kind: 'stdout' };
  const topic = /^kafka:\/\/([\w.-]{1,200})\/?$/.exec(text)?.[1];
  if (topic !== undefined) return { kind: 'kafka', topic };
  if (/^https?:\/\//.test(text) && URL.canParse(text)) {
    const url = new URL(text);
    if (url.pathname === '/') url.pathname = EVENTS_PATH;
    return { kind: 'http', url };
  }
  throw usageError('--to: must be stdout, http(s)://HOST or kafka://TOPIC');
}
