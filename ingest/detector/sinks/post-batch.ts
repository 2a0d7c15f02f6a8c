import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import type { SpooledBatch } from './spool-record.ts';

export interface PostTarget {
  /** URL of `POST /api/events` of the receiver. */
  readonly url: URL;
  /** Sent in the header `x-api-key`. */
  readonly apiKey: string | null;
}

/** Result of one attempt. */
export type PostResult =
  /** Accepted, except for the rejected events. */
  | { readonly outcome: 'taken'; readonly rejected: RejectedEvents }
  /** Rejected permanently. */
  | { readonly outcome: 'refused'; readonly status: number; readonly reason: string | null }
  /** Retry, at the earliest after `retryAfterMs` if the receiver sent it. */
  | {
      readonly outcome: 'later';
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly keyRefused?: true;
    };

/** Events of a batch that the receiver rejected. */
export interface RejectedEvents {
  readonly total: number;
  /**
   * Positions in the batch of events that the receiver has not kept as dead letters; `all` if it does not list all of
   * them.
   */
  readonly unkept: readonly number[] | 'all';
  /** Reason of the first one. */
  readonly reason: string | null;
}

export interface Poster {
  /** Sends a batch once, with a timeout of `timeoutMs`. */
  post(batch: SpooledBatch, timeoutMs: number): Promise<PostResult>;
  close(): void;
}

/**
 * Status codes that concern the batch itself. All others can change for the same batch: a receiver that is unavailable
 * or busy, an invalid or expired key, a wrong address.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** The key is invalid, has expired, was revoked or may not write events. */
const KEY_REFUSALS: ReadonlySet<number> = new Set([401, 403]);

const MAX_ANSWER = 1_048_576;

/**
 * Sends batches over one kept-alive connection. `closing` aborts a request in flight. Loads the HTTP client of Node by
 * name at run time. `import 'node:http'` evaluates every export and therefore all of undici, as does `fetch`, which
 * would cost 10 MiB of memory.
 */
export function createPoster(target: PostTarget, closing: AbortSignal): Poster {
  const { Agent, request } = process.getBuiltinModule(target.url.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  return {
    post: (batch, timeoutMs) =>
      new Promise((resolve) => {
        const later = (reason: string): void => resolve({ outcome: 'later', reason, retryAfterMs: null });
        const outgoing = request(
          target.url,
          {
            method: 'POST',
            agent,
            signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]),
            headers: {
              'content-type': 'application/x-ndjson',
              'content-encoding': 'gzip',
              'content-length': batch.body.length,
              'idempotency-key': batch.key,
              ...traceHeaders(batch.trace),
              ...(target.apiKey === null ? {} : { 'x-api-key': target.apiKey }),
            },
          },
          (answer) => {
            const chunks: Buffer[] = [];
            let size = 0;
            answer.on('data', (chunk: Buffer) => {
              size += chunk.length;
              if (size <= MAX_ANSWER) chunks.push(chunk);
            });
            answer.on('error', (error) => later(codeOf(error)));
            answer.on('end', () => {
              const status = answer.statusCode ?? 0;
              resolve(judge(status, answer.headers['retry-after'], Buffer.concat(chunks).toString('utf8')));
            });
          },
        );
        outgoing.on('error', (error) => later(codeOf(error)));
        outgoing.end(batch.body);
      }),
    close: () => agent.destroy(),
  };
}

function judge(status: number, retryAfter: string | undefined, body: string): PostResult {
  if (status >= 200 && status < 300) return { outcome: 'taken', rejected: rejectedOf(body) };
  if (!REFUSALS.has(status)) {
    const later = { outcome: 'later', reason: `HTTP ${status}`, retryAfterMs: retryAfterMs(retryAfter) } as const;
    return KEY_REFUSALS.has(status) ? { ...later, keyRefused: true } : later;
  }
  return { outcome: 'refused', status, reason: reasonOf(body) };
}

/** Code for events of another host than that of the key. The receiver keeps no copy of them. */
const OTHER_HOST = 'other_host';

/** Field of an issue that concerns the body, not one of its fields. */
const WHOLE_BODY = '<root>';

interface ListedRejection {
  readonly index?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

function rejectedOf(body: string): RejectedEvents {
  const { rejected, rejectedTotal } = jsonOf(body) as { rejected?: unknown; rejectedTotal?: unknown };
  const listed = Array.isArray(rejected) ? (rejected as readonly ListedRejection[]) : [];
  const total = typeof rejectedTotal === 'number' ? rejectedTotal : listed.length;
  const unkept = listed.flatMap(({ index, code }) => (code === OTHER_HOST && typeof index === 'number' ? [index] : []));
  return { total, unkept: total > listed.length ? 'all' : unkept, reason: textOrNull(listed[0]?.message) };
}

/** Returns the reason of a rejection from the response body, with the field that it concerns. */
export function reasonOf(body: string): string | null {
  const { issues } = jsonOf(body) as { issues?: unknown };
  if (!Array.isArray(issues)) return null;
  const { field, message } = (issues[0] ?? {}) as { readonly field?: unknown; readonly message?: unknown };
  const reason = textOrNull(message);
  return reason === null || typeof field !== 'string' || field === WHOLE_BODY ? reason : `${field}: ${reason}`;
}

function jsonOf(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Parses seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 600_000) : null;
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
