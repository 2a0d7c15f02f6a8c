import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from './product.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly body: unknown;
}

/** Calls the service with one account. Retries 429, and 503 with Retry-After, a bounded number of times. */
export interface Client {
  readonly account: Account;
  /** Rejects with `NoAnswer`. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Number of responses by status, including retried ones. */
  readonly statuses: Map<number, number>;
}

const MAX_TRIES = 8;
const TIMEOUT_MS = 180_000;
let sent = 0;

export function createClient(
  url: string,
  account: Account,
  other: Account,
  onCrossed: (where: string) => void,
): Client {
  const statuses = new Map<number, number>();
  return {
    account,
    statuses,
    async call(method, path, body) {
      for (let tries = 1; ; tries += 1) {
        const { response, text } = await ask(url + path, {
          method,
          headers: {
            'x-api-key': account.key,
            'x-forwarded-for': nextAddress(),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (text.includes(other.marker)) onCrossed(`${method} ${path}: ${around(text, other.marker)}`);
        const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
        const again = response.status === 429 || (response.status === 503 && !Number.isNaN(retryAfter));
        if (!again || tries >= MAX_TRIES) return { status: response.status, text, body: parse(text) };
        await pause(Math.min(retryAfter || 1, 5) * 1_000);
      }
    },
  };
}

/** The connection failed or was closed, or the request timed out. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

async function ask(url: string, init: RequestInit): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new NoAnswer(`${init.method} ${new URL(url).pathname}: ${message} ${String(cause ?? '')}`, { cause: error });
  }
}

/** Returns another address of the benchmark network 198.18.0.0/16 for each request. */
function nextAddress(): string {
  sent += 1;
  return `198.18.${(sent >> 8) % 256}.${sent % 256}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 200), at + part.length + 100);
}
