import type { Database } from '#api/postgres/database.ts';
import type { JsonValue } from '../json-value.ts';
import { readPayload } from '../payloads/keep-payload.ts';
import type { PayloadStore } from '../payloads/port.ts';
import { type TracedStep, traceBefore } from '../store/repetition.ts';
import type { CloudEvent, StepPath, WorkflowError } from './port.ts';
import { TaskFailure } from './task-failure.ts';

/** What is taken from an earlier run of the same workflow instead of being done again. */
export interface Repetition {
  /** Gives the outcome of a task as it was; undefined: it is to be done. */
  outcomeOf(step: StepPath, attempt: number): (() => Promise<JsonValue>) | undefined;
  firesAtOnce(timer: string): boolean;
  eventsTaken(wait: string): readonly CloudEvent[];
}

export const NO_REPETITION: Repetition = {
  outcomeOf: () => undefined,
  firesAtOnce: () => false,
  eventsTaken: () => [],
};

/**
 * A replay goes through the definition from its beginning, and up to a step is answered from the trace of the source: tasks by their recorded outcomes,
 * waits by the events they took; timers that fired do so at once. What was running when the step began, and the step itself, runs again.
 */
export async function createRepetition(
  { database, payloads }: { readonly database: Database; readonly payloads: PayloadStore | undefined },
  { sourceExecutionId, replayFrom }: { readonly sourceExecutionId: string; readonly replayFrom: StepPath },
): Promise<Repetition> {
  const { steps, timers, events } = await traceBefore(database, sourceExecutionId, replayFrom);
  const byStep = new Map(steps.map((step) => [keyOf(step.step, step.attempt), step]));
  const fired = new Set(timers);
  const taken = new Map<string, CloudEvent[]>();
  for (const { wait, event } of events) {
    const before = taken.get(wait);
    if (before === undefined) taken.set(wait, [event as unknown as CloudEvent]);
    else before.push(event as unknown as CloudEvent);
  }
  return {
    outcomeOf(step, attempt) {
      const recorded = byStep.get(keyOf(step, attempt));
      return recorded === undefined ? undefined : () => outcome(recorded);
    },
    firesAtOnce: (timer) => fired.has(timer),
    eventsTaken: (wait) => taken.get(wait) ?? [],
  };

  async function outcome(step: TracedStep): Promise<JsonValue> {
    if (step.status === 'failed') throw new TaskFailure(step.error as unknown as WorkflowError);
    return readPayload(payloads, step.output, step.outputFile);
  }
}

function keyOf(step: StepPath, attempt: number): string {
  return `${attempt}\n${step}`;
}
