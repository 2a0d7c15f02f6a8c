import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may occupy the main thread before other requests and timers run, ms. */
const SLICE_MS = 20;

/**
 * Creates a function to be awaited between two pieces of work. It yields to the event loop when a time slice has been used up: awaiting promises that
 * are settled does not, and a run whose events need nothing from outside would keep the process from answering.
 */
export function createTimeSlice(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await nextTurn();
    began = performance.now();
  };
}
