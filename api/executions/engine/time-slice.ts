import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may occupy the main thread before other requests and timers run, ms. */
const SLICE_MS = 20;

/** Shared by all work of a thread. */
export interface TimeSlice {
  /** To be called before a piece of work. */
  begin(): void;
  /**
   * To be called after it. Undefined while the event loop has turned recently; otherwise a promise that resolves after a turn: awaiting promises that are
   * settled does not let it turn, and a run whose events need nothing from outside would keep the process from answering.
   */
  end(): Promise<void> | undefined;
}

export function createTimeSlice(): TimeSlice {
  /** When the first work of this turn of the event loop began. */
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
