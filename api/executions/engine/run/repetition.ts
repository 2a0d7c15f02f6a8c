import type { Database } from '#api/postgres/database.ts';
import type { JsonValue } from '../../json-value.ts';
import { readPayload } from '../../payloads/keep-payload.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import { type TracedStep, traceBefore } from '../../store/repetition.ts';
import type { CloudEvent } from '../contract/cloud-event.ts';
import { TaskFailure } from '../contract/task-failure.ts';
import type { StepPath, WorkflowError } from '../contract/workflow-error.ts';

/** Recorded results of an earlier run of the same workflow, which replace real work. */
export interface Repetition {
  /** Returns the recorded outcome of a task, or undefined if the task must run. */
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
 * Loads the recorded results for a replay. A replay starts at the beginning of the definition. Until it reaches
 * `replayFrom`, tasks return their recorded outcomes, waits receive their recorded events, and recorded timers fire
 * immediately. The step itself, and tasks that were running when it began, run again.
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
