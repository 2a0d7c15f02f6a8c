import { type Call, isRepeatable, queryOf } from './call.ts';
import { type Download, downloadOf } from './download.ts';
import { errorOf } from './error-of.ts';
import { aboutKey, ServiceConnectionError, ServiceError, ServiceResponseError, ServiceTimeoutError } from './errors.ts';
import { exactJson, parseExactJson } from './exact-json.ts';
import { createIdleTimeout, type IdleTimeout, pause } from './idle-timeout.ts';
import type { ResolvedOptions } from './options.ts';
import { retryDelay } from './retry.ts';

/** Sends requests, with retries. All functions reject with a ServiceError, or with the reason of the caller's signal. */
export interface Transport {
  /** Maximum time for which a response may be held. The service sends data every 15 s; the time-out must not be shorter. */
  readonly holdSeconds: number;
  /** Returns the parsed body of the response. */
  json<T>(call: Call): Promise<T>;
  /** Resolves when the request has succeeded; ignores the body. */
  nothing(call: Call): Promise<void>;
  download(call: Call): Promise<Download>;
}

/** A response whose body has not been read. */
interface Answer {
  readonly response: Response;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Redirects are not followed, because the key must not be sent to another URL. The service never sends redirects. */
const NO_REDIRECT = { redirect: 'manual' } as const;
/**
 * Without these options, Node buffers the whole body in memory, to send it again after a redirect or an authentication
 * dialog. Measured with a file of 600 MB: 20 MB instead of 600.
 */
const STREAMED = { redirect: 'error', window: null } as const;

/** Slowest upload that is awaited, bytes per second. */
const SLOWEST_UPLOAD = 128 * 1024;

const MAX_HOLD_SECONDS = 60;
/** If the time-out is longer than this, responses may be held for the maximum time. */
const HEARTBEAT_MS = 20_000;

export function createTransport(options: ResolvedOptions): Transport {
  const { apiKey, baseUrl, timeoutMs, maxRetries, exactIntegers, fetch } = options;
  return {
    holdSeconds: timeoutMs > HEARTBEAT_MS ? MAX_HOLD_SECONDS : Math.max(0, Math.floor(timeoutMs / 1000) - 2),
    async json<T>(call: Call): Promise<T> {
      return await withRetries(call, async (answer) => {
        const text = await textOf(answer);
        try {
          // A held response begins with spaces, which JSON allows.
          const value = exactIntegers ? parseExactJson(text) : JSON.parse(text);
          return withEtag(value, answer.response.headers.get('etag')) as T;
        } catch (cause) {
          const { status, headers } = answer.response;
          const requestId = headers.get('x-request-id') ?? undefined;
          throw new ServiceResponseError("the answer can't be read: it is no JSON", { status, requestId, cause });
        }
      });
    },
    nothing: (call) => withRetries(call, async (answer) => void (await textOf(answer))),
    download: (call) => withRetries(call, async ({ response, body }) => downloadOf(response.headers, body)),
  };

  async function withRetries<T>(call: Call, read: (answer: Answer) => Promise<T>): Promise<T> {
    const idempotencyKey = call.idempotencyKey ?? crypto.randomUUID();
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await answerTo({ ...call, idempotencyKey }));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const ms = retryDelay(isRepeatable(call), attempt, error, maxRetries);
        if (ms === undefined) throw call.repeatable === 'by-key' ? aboutKey(error, idempotencyKey) : error;
        await pause(ms, call.signal);
      }
    }
  }

  /** Returns the response to one attempt. Throws unless it is a 2xx. */
  async function answerTo(call: Call): Promise<Answer> {
    const idle = createIdleTimeout(timeoutMs, (sizeOf(call.form) / SLOWEST_UPLOAD) * 1000, call.signal);
    let response: Response;
    try {
      response = await fetch(baseUrl + call.path + queryOf(call.query), {
        method: call.method,
        headers: headersOf(call),
        body: call.form ?? call.lines ?? (call.json === undefined ? null : exactJson(call.json)),
        ...(call.form === undefined ? NO_REDIRECT : STREAMED),
        signal: idle.signal,
      });
    } catch (error) {
      idle.stop();
      throw failureOf(error, call, idle);
    }
    const answer = { response, body: readThrough(response, call, idle) };
    if (response.ok) return answer;
    throw errorOf(response, await textOf(answer));
  }

  function headersOf(call: Call): Record<string, string> {
    return {
      accept: 'application/json, */*',
      authorization: `Bearer ${apiKey}`,
      ...(call.method === 'POST' && call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
      ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
      // fetch sets the content type of a form, with its boundary.
      ...(call.lines !== undefined ? { 'content-type': 'application/x-ndjson' } : {}),
      ...(call.json !== undefined ? { 'content-type': 'application/json' } : {}),
    };
  }

  /** Returns the body. Each chunk restarts the time-out, and failures become ServiceErrors. */
  function readThrough(response: Response, call: Call, idle: IdleTimeout): Answer['body'] {
    const reader = response.body?.getReader();
    return new ReadableStream({
      async pull(controller) {
        idle.restart();
        try {
          const piece = await reader?.read();
          idle.pause();
          if (piece?.value !== undefined) return controller.enqueue(piece.value);
        } catch (error) {
          idle.stop();
          return controller.error(failureOf(error, call, idle));
        }
        idle.stop();
        controller.close();
      },
      async cancel(reason) {
        idle.stop();
        await reader?.cancel(reason);
      },
    });
  }

  function failureOf(cause: unknown, { signal }: Call, idle: IdleTimeout): unknown {
    if (idle.expired) return new ServiceTimeoutError(`the service was silent for ${timeoutMs / 1000} s`, { cause });
    if (signal?.aborted) return signal.reason;
    return new ServiceConnectionError(`cannot reach ${baseUrl}, or the connection broke: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Returns the reason of a `fetch` failure. The error itself only has the message "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const reason = cause instanceof Error && cause.message !== '' ? cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

/** Adds the ETag of the header to the object, if the body does not contain it. */
function withEtag(value: unknown, etag: string | null): unknown {
  if (etag === null || typeof value !== 'object' || value === null || Array.isArray(value) || 'etag' in value)
    return value;
  return { ...value, etag };
}

async function textOf({ body }: Answer): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    text += decoder.decode(piece.value, { stream: true });
  return text + decoder.decode();
}

function sizeOf(form: FormData | undefined): number {
  let size = 0;
  for (const value of form?.values() ?? []) size += typeof value === 'string' ? value.length : value.size;
  return size;
}
