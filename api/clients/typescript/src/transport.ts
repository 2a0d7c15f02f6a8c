import { type Call, isRepeatable, queryOf } from './call.ts';
import { type Download, downloadOf } from './download.ts';
import { errorOf } from './error-of.ts';
import { aboutKey, ServiceConnectionError, ServiceError, ServiceResponseError, ServiceTimeoutError } from './errors.ts';
import { exactJson, parseExactJson } from './exact-json.ts';
import type { ResolvedOptions } from './options.ts';
import { retryDelay } from './retry.ts';
import { listenForSilence, pause, type Silence } from './silence.ts';

/** Requests and answers, with retries. Everything rejects with a ServiceError, or with the reason of the caller's signal. */
export interface Transport {
  /** For how long an answer may be held: the service sends something every 15 s, and silence must not end the request before. */
  readonly holdSeconds: number;
  /** The body of the answer. */
  json<T>(call: Call): Promise<T>;
  /** Only that it was done. */
  nothing(call: Call): Promise<void>;
  download(call: Call): Promise<Download>;
}

/** An answer whose body has not been read. */
interface Answer {
  readonly response: Response;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** The key must not travel to wherever a redirect points; the service never sends one. */
const NO_REDIRECT = { redirect: 'manual' } as const;
/**
 * Node keeps all of a body in memory for the case that it has to be sent again, after a redirect or to a window's log-in, unless it is declared that
 * neither can be. Measured with a file of 600 MB: 20 MB instead of 600.
 */
const STREAMED = { redirect: 'error', window: null } as const;

/** Bytes a second of the slowest upload that is waited for. */
const SLOWEST_UPLOAD = 128 * 1024;

const MAX_HOLD_SECONDS = 60;
/** Silences that are longer than this allow every hold. */
const HEARTBEAT_MS = 20_000;

export function createTransport(options: ResolvedOptions): Transport {
  const { apiKey, baseUrl, timeoutMs, maxRetries, exactIntegers, fetch } = options;
  return {
    holdSeconds: timeoutMs > HEARTBEAT_MS ? MAX_HOLD_SECONDS : Math.max(0, Math.floor(timeoutMs / 1000) - 2),
    async json<T>(call: Call): Promise<T> {
      return await withRetries(call, async (answer) => {
        const text = await textOf(answer);
        try {
          // A held answer begins with spaces, which JSON allows.
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

  /** The answer to one attempt, if it is a 2xx. */
  async function answerTo(call: Call): Promise<Answer> {
    const silence = listenForSilence(timeoutMs, (sizeOf(call.form) / SLOWEST_UPLOAD) * 1000, call.signal);
    let response: Response;
    try {
      response = await fetch(baseUrl + call.path + queryOf(call.query), {
        method: call.method,
        headers: headersOf(call),
        body: call.form ?? call.lines ?? (call.json === undefined ? null : exactJson(call.json)),
        ...(call.form === undefined ? NO_REDIRECT : STREAMED),
        signal: silence.signal,
      });
    } catch (error) {
      silence.done();
      throw failureOf(error, call, silence);
    }
    const answer = { response, body: readThrough(response, call, silence) };
    if (response.ok) return answer;
    throw errorOf(response, await textOf(answer));
  }

  function headersOf(call: Call): Record<string, string> {
    return {
      accept: 'application/json, */*',
      authorization: `Bearer ${apiKey}`,
      ...(call.method === 'POST' && call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
      ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
      // fetch names the type of a form, with its boundary.
      ...(call.lines !== undefined ? { 'content-type': 'application/x-ndjson' } : {}),
      ...(call.json !== undefined ? { 'content-type': 'application/json' } : {}),
    };
  }

  /** The body, where every piece is a sign of life and failures become ServiceErrors. */
  function readThrough(response: Response, call: Call, silence: Silence): Answer['body'] {
    const reader = response.body?.getReader();
    return new ReadableStream({
      async pull(controller) {
        silence.count();
        try {
          const piece = await reader?.read();
          silence.rest();
          if (piece?.value !== undefined) return controller.enqueue(piece.value);
        } catch (error) {
          silence.done();
          return controller.error(failureOf(error, call, silence));
        }
        silence.done();
        controller.close();
      },
      async cancel(reason) {
        silence.done();
        await reader?.cancel(reason);
      },
    });
  }

  function failureOf(cause: unknown, { signal }: Call, silence: Silence): unknown {
    if (silence.tooLong) return new ServiceTimeoutError(`the service was silent for ${timeoutMs / 1000} s`, { cause });
    if (signal?.aborted) return signal.reason;
    return new ServiceConnectionError(`cannot reach ${baseUrl}, or the connection broke: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** What `fetch` failed with: its own error says "fetch failed" and names the reason in its cause. */
function reasonOf(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const reason = cause instanceof Error && cause.message !== '' ? cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

/** The object with its ETag, where the header has one and the body does not. */
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
