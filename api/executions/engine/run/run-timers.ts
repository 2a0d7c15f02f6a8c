const MAX_TIMER_MS = 2 ** 31 - 1;

/** The timers of a run that a worker has leased. */
export interface RunTimers {
  /** Sets a timer. `due` is its state by the clock of the database, which decides whether a run may be parked. */
  arm(timer: string, at: string, due?: boolean): void;
  disarm(timer: string): void;
  /** Removes a fired timer. Returns false if it was ended in the interim. */
  take(timer: string): boolean;
  has(timer: string): boolean;
  readonly size: number;
  clear(): void;
}

export function createRunTimers({
  onFire,
  firesAtOnce,
}: {
  readonly onFire: (timer: string) => void;
  readonly firesAtOnce: (timer: string) => boolean;
}): RunTimers {
  const timers = new Map<string, NodeJS.Timeout | undefined>();
  return {
    arm(timer, at, due = false) {
      clearTimeout(timers.get(timer));
      const ms = Date.parse(at) - Date.now();
      if (due || ms <= 0 || firesAtOnce(timer)) {
        timers.set(timer, undefined);
        onFire(timer);
        return;
      }
      // A timer beyond the range of setTimeout is left to the database. By then, the run is parked or claimed again.
      const fire = ms > MAX_TIMER_MS ? () => {} : () => onFire(timer);
      timers.set(timer, setTimeout(fire, Math.min(ms, MAX_TIMER_MS)));
    },
    disarm(timer) {
      clearTimeout(timers.get(timer));
      timers.delete(timer);
    },
    take: (timer) => timers.delete(timer),
    has: (timer) => timers.has(timer),
    get size() {
      return timers.size;
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
