/** Aborts requests to a server that no longer responds at all, long before their own timeout. */
export interface Liveness {
  /** Runs a request. Its signal aborts with a `SilentServer` when the server is found silent. */
  watch<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface LivenessConfig {
  /** Sends any request to the server. Rejects if it does not respond. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  /** Age of a request at which the server is checked, ms. Default 5,000. */
  readonly suspectAfterMs?: number;
  /** Timeout of a ping, ms. Default 3,000. */
  readonly pingMs?: number;
  /** Number of consecutive failed pings after which the server counts as silent. Default 2. */
  readonly pings?: number;
}

export class SilentServer extends Error {
  override readonly name = 'SilentServer';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the server does not answer, not even a ping');
  }
}

interface Waiting {
  readonly sinceMs: number;
  readonly ended: AbortController;
}

/**
 * Distinguishes slow queries from a frozen server by pings: a query may take a minute, and a frozen server does not
 * respond either. Sends no pings while all requests are answered quickly.
 */
export function createLiveness(config: LivenessConfig): Liveness {
  const { ping, suspectAfterMs = 5_000, pingMs = 3_000, pings = 2 } = config;
  const waiting = new Set<Waiting>();
  let suspecting: NodeJS.Timeout | undefined;

  function watchOldest(): void {
    const [oldest] = waiting;
    if (oldest === undefined || suspecting !== undefined) return;
    const wait = Math.max(0, oldest.sinceMs + suspectAfterMs - performance.now());
    suspecting = setTimeout(() => void suspect(), wait).unref();
  }

  async function suspect(): Promise<void> {
    const [oldest] = waiting;
    const isLate = oldest !== undefined && performance.now() - oldest.sinceMs >= suspectAfterMs;
    const suspected = [...waiting];
    if (isLate && (await isSilent())) for (const { ended } of suspected) ended.abort(new SilentServer());
    // A server that responded is checked again after the same interval.
    suspecting = isLate ? setTimeout(() => void suspect(), suspectAfterMs).unref() : undefined;
    watchOldest();
  }

  async function isSilent(): Promise<boolean> {
    for (let tried = 0; tried < pings; tried++) {
      if (waiting.size === 0) return false;
      const answered = await ping(AbortSignal.timeout(pingMs)).then(
        () => true,
        () => false,
      );
      if (answered) return false;
    }
    return true;
  }

  return {
    async watch(run) {
      const request: Waiting = { sinceMs: performance.now(), ended: new AbortController() };
      const { signal } = request.ended;
      waiting.add(request);
      watchOldest();
      try {
        return await run(signal);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        waiting.delete(request);
      }
    },
  };
}
