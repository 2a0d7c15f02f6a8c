/**
 * The server limits requests per address and blocks an address that exceeds the limit. The console therefore reads the
 * remaining quota and delays requests before it is used up.
 */
export interface Pace {
  /** Resolves when a request may be sent. */
  turn(): Promise<void>;
  /**
   * Reads the remaining quota of a response: `ratelimit: "default";r=98;t=60` (draft-ietf-httpapi-ratelimit-headers).
   */
  learn(headers: Headers): void;
}

/** Requests reserved for other windows and users at the same address. */
const RESERVE = 8;

export function createPace({
  now = Date.now,
  sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  onWait = (_ms: number) => {},
} = {}): Pace {
  let left = Number.POSITIVE_INFINITY;
  let resetAt = 0;
  return {
    async turn() {
      while (left <= RESERVE && now() < resetAt) {
        const ms = resetAt - now();
        onWait(ms);
        await sleep(ms);
      }
      if (now() >= resetAt) left = Number.POSITIVE_INFINITY;
      left -= 1;
    },
    learn(headers) {
      const found = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '');
      if (found === null) return;
      left = Number(found[1]);
      resetAt = now() + Number(found[2]) * 1_000;
    },
  };
}
