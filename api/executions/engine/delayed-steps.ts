import type { Change, StepChange } from './change.ts';

/** How long the row of a step may be delayed from the moment its task begins, ms. */
const STEP_DELAY_MS = 200;
/** Steps that are delayed at once: more are written, so that what a run has not written stays small. */
const MAX_DELAYED = 100;

/**
 * Moves steps that have just begun from a change that is about to be written to the next one: most end until then, and are written once. A step is written
 * at once when its task has effects outside, when it waits, or when a step that began after it is written: rows are numbered in the order in which the steps
 * begin. `now` is of `performance.now()`. The state that is written names the steps in progress, so a run that recovers knows them.
 * Returns when those are due whose tasks run already; undefined for none.
 */
export function delayOpenSteps(written: Change, next: Change, now: number): number | undefined {
  const steps = [...written.steps];
  const first = steps.findLastIndex(([, step]) => !mayWait(step, now)) + 1;
  if (steps.length - first > MAX_DELAYED) return undefined;
  let earliest: number | undefined;
  for (const [key, step] of steps.slice(first)) {
    written.steps.delete(key);
    next.steps.set(key, step);
    if (step.due !== undefined) earliest = Math.min(step.due, earliest ?? step.due);
  }
  return earliest;
}

/** Notes that the tasks of the steps begin. Returns when the steps are to be written at the latest; undefined: one of them is not to be delayed. */
export function beginDelay({ steps }: Change, now: number): number | undefined {
  let earliest = now + STEP_DELAY_MS;
  for (const step of steps.values()) {
    if (!mayWait(step, now)) return undefined;
    step.due ??= now + STEP_DELAY_MS;
    earliest = Math.min(earliest, step.due);
  }
  return earliest;
}

function mayWait({ last, hasEffects, due }: StepChange, now: number): boolean {
  return last.status === 'running' && hasEffects !== true && (due === undefined || now < due);
}
