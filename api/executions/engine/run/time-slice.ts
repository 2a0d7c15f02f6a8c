import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time in ms that work may occupy the main thread before other requests and timers run. */
const SLICE_MS = 20;

/** Shared by all work of a thread. */
export interface TimeSlice {
  /** Call before a unit of work. */
  begin(): void;
  /**
   * Call after a unit of work. Returns undefined if the event loop has run recently, otherwise a promise that resolves
   * after its next iteration. Awaiting settled promises does not let the event loop run. A run without external work
   * would therefore block all responses of the process.
   */
  end(): Promise<void> | undefined;
}

export function createTimeSlice(): TimeSlice {
  /** Start time of the first unit of work in this iteration of the event loop. */
  let began: number | undefined;
  return {
    begin() {
      if (began !== undefined) return;
      began = performance.now();
      setImmediate(() => {
        began = undefined;
      });
    },
    end: () => (began === undefined || performance.now() - began < SLICE_MS ? undefined : nextTurn()),
  };
}
