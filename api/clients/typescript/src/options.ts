/** Where `trapline start` listens. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

export interface ClientOptions {
  /** `<keyId>.<secret>`; else the environment's `SERVICE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Where the service is; else the environment's `SERVICE_BASE_URL`, else http://127.0.0.1:8080. */
  readonly baseUrl?: string | undefined;
  /** The longest silence of the service during a request. Default 60. */
  readonly timeoutSeconds?: number | undefined;
  /** How often a request is made again after 429 and 5xx, and after a broken connection when it is repeatable. Default 3. */
  readonly maxRetries?: number | undefined;
  /**
   * Integers of responses that a number cannot hold, such as addresses, as bigints. Default true; false: numbers, which JavaScript rounds.
   * `JSON.stringify` refuses bigints: `exactJson` writes them.
   */
  readonly exactIntegers?: boolean | undefined;
  /** Another fetch, such as `fetchTrusting` of `@trapline/client/node`, or one with a dispatcher that trusts a host's own certificate. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface ResolvedOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly exactIntegers: boolean;
  readonly fetch: typeof globalThis.fetch;
}

/** Throws a TypeError when there is no key or an option makes no sense. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const { timeoutSeconds = 60, maxRetries = 3, exactIntegers = true } = options;
  const apiKey = options.apiKey || environment('SERVICE_API_KEY');
  if (!apiKey) throw new TypeError('no API key: give apiKey, or set SERVICE_API_KEY');
  const baseUrl = (options.baseUrl || environment('SERVICE_BASE_URL') || DEFAULT_BASE_URL).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl: http:// or https:// is expected, not ${baseUrl}`);
  if (!(timeoutSeconds > 0)) throw new TypeError('timeoutSeconds: a number greater than 0 is expected');
  if (!(maxRetries >= 0)) throw new TypeError('maxRetries: a number of at least 0 is expected');
  // A browser's fetch must be called as the window's own.
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return { apiKey, baseUrl, timeoutMs: timeoutSeconds * 1000, maxRetries, exactIntegers, fetch };
}

/** Browsers have no environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return process?.env?.[name];
}
