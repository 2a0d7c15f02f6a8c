import type { Change, StepChange } from '../writes/change.ts';

/** Maximum delay of the row of a step after its task begins, in ms. */
const STEP_DELAY_MS = 200;
/** Maximum number of delayed steps. Above it all are written, which bounds the unwritten data of a run. */
const MAX_DELAYED = 100;

/**
 * Moves steps that have just begun from the change to be written into the next change. Most of them end before the next
 * write and are written once.
 * A step is not delayed if its task has external effects, if it waits, or if a step that began later is written now:
 * rows are numbered in the order in which steps begin. The written state names the steps in progress, so recovery knows
 * the delayed steps.
 * `now` is in the time base of `performance.now()`. Returns the earliest deadline of the delayed steps whose tasks
 * already run, or undefined if none exists.
 */
export function delayOpenSteps(written: Change, next: Change, now: number): number | undefined {
  const steps = [...written.steps];
  const first = steps.findLastIndex(([, step]) => !mayBeDelayed(step, now)) + 1;
  if (steps.length - first > MAX_DELAYED) return undefined;
  let earliest: number | undefined;
  for (const [key, step] of steps.slice(first)) {
    written.steps.delete(key);
    next.steps.set(key, step);
    if (step.due !== undefined) earliest = Math.min(step.due, earliest ?? step.due);
  }
  return earliest;
}

/**
 * Sets the write deadlines of steps whose tasks begin now. Returns the earliest deadline, or undefined if one of the
 * steps cannot be delayed.
 */
export function beginDelay({ steps }: Change, now: number): number | undefined {
  let earliest = now + STEP_DELAY_MS;
  for (const step of steps.values()) {
    if (!mayBeDelayed(step, now)) return undefined;
    step.due ??= now + STEP_DELAY_MS;
    earliest = Math.min(earliest, step.due);
  }
  return earliest;
}

function mayBeDelayed({ last, hasEffects, due }: StepChange, now: number): boolean {
  return last.status === 'running' && hasEffects !== true && (due === undefined || now < due);
}
