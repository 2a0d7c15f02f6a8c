import { oneAtATime } from './one-at-a-time.ts';

/** Runs `work` at an interval and at set times, one call at a time. */
export interface Polling {
  start(): void;
  stop(): void;
  /** Also runs `work` at this time, in ms since the epoch, instead of waiting for the interval. */
  at(time: number): void;
}

/** Times further away than this are left to the interval, in ms. */
const MAX_ALARM_MS = 60_000;

/** `work` must not reject. */
export function createPolling(work: () => Promise<void>, { pollMs }: { readonly pollMs: number }): Polling {
  let stopped = false;
  let interval: NodeJS.Timeout | undefined;
  let alarm: NodeJS.Timeout | undefined;
  let alarmAt = Number.POSITIVE_INFINITY;

  const poll = oneAtATime(async () => {
    if (!stopped) await work();
  });

  return {
    start() {
      interval = setInterval(() => void poll(), pollMs);
      void poll();
    },
    stop() {
      stopped = true;
      clearInterval(interval);
      clearTimeout(alarm);
    },
    at(time) {
      if (stopped || time >= alarmAt || time > Date.now() + MAX_ALARM_MS) return;
      clearTimeout(alarm);
      alarmAt = time;
      alarm = setTimeout(
        () => {
          alarmAt = Number.POSITIVE_INFINITY;
          void poll();
        },
        Math.max(1, time - Date.now()),
      );
    },
  };
}
