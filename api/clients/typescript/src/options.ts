/** Default address of `trapline start`. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

export interface ClientOptions {
  /** `<keyId>.<secret>`. Default: `SERVICE_API_KEY` of the environment. */
  readonly apiKey?: string | undefined;
  /** URL of the service. Default: `SERVICE_BASE_URL` of the environment, otherwise http://127.0.0.1:8080. */
  readonly baseUrl?: string | undefined;
  /** Maximum time without data from the service during a request. Default 60. */
  readonly timeoutSeconds?: number | undefined;
  /** Maximum number of retries after 429 and 5xx, and after a broken connection if the request is repeatable. Default 3. */
  readonly maxRetries?: number | undefined;
  /**
   * True: integers of responses that exceed the precision of a number, such as addresses, become bigints. False: they
   * become numbers, which are rounded. Default true. `JSON.stringify` rejects bigints; use `exactJson`.
   */
  readonly exactIntegers?: boolean | undefined;
  /**
   * Another fetch function, such as `fetchTrusting` of `@trapline/client/node`, or one with a dispatcher that trusts a
   * private certificate.
   */
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

/** Returns the options with defaults. Throws a TypeError if there is no key or an option is invalid. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const { timeoutSeconds = 60, maxRetries = 3, exactIntegers = true } = options;
  const apiKey = options.apiKey || environment('SERVICE_API_KEY');
  if (!apiKey) throw new TypeError('no API key: give apiKey, or set SERVICE_API_KEY');
  const baseUrl = (options.baseUrl || environment('SERVICE_BASE_URL') || DEFAULT_BASE_URL).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(baseUrl))
    throw new TypeError(`baseUrl: must begin with http:// or https:// (got ${baseUrl})`);
  if (!(timeoutSeconds > 0)) throw new TypeError('timeoutSeconds: must be greater than 0');
  if (!(maxRetries >= 0)) throw new TypeError('maxRetries: must be at least 0');
  // A browser's fetch must be called as a method of the window.
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return { apiKey, baseUrl, timeoutMs: timeoutSeconds * 1000, maxRetries, exactIntegers, fetch };
}

/** Returns an environment variable. Browsers have none. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return process?.env?.[name];
}
