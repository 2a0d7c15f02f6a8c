/** Ends requests to a server that no longer answers at all, long before their own time-out. */
export interface Liveness {
  /** Runs a request; its signal aborts with a `SilentServer` when the server is found silent. */
  watch<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface LivenessConfig {
  /** Asks the server for anything; rejects when it does not answer. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  /** A request that waits for less is not looked after, ms. Default 5,000. */
  readonly suspectAfterMs?: number;
  /** How long a ping may take, ms. Default 3,000. */
  readonly pingMs?: number;
  /** Pings in a row that fail before the server counts as silent. Default 2. */
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
 * A query may take a minute, and a frozen server takes as long: only a ping separates the two. Nothing is asked while all
 * requests are answered quickly.
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
    // A server that answered is asked again after the same time.
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
