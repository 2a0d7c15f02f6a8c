import type { Database } from '#api/postgres/database.ts';
import type { JsonValue } from '../../json-value.ts';
import { readPayload } from '../../payloads/keep-payload.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import { type TracedStep, traceOf } from '../../store/repetition.ts';
import { MAX_CAUSATION } from '../causation.ts';
import type { CloudEvent } from '../contract/cloud-event.ts';
import type { WorkflowDefinition } from '../contract/port.ts';
import { engineError, TaskFailure } from '../contract/task-failure.ts';
import type { StepPath, WorkflowError } from '../contract/workflow-error.ts';
import { isObject } from '../interpreter/json.ts';
import type { Repetition } from './repetition.ts';

/** Value of `executions.triggerType` for a dry run. */
export const DRY_RUN = 'dry-run';

/** Exceeds the limit of causal chains, so the failure of a dry run starts no other execution. */
export const DRY_RUN_CAUSATION = MAX_CAUSATION + 1;

/**
 * Runs an unreleased definition without effects. Expressions, conditions, loops and schemas are evaluated. Calls,
 * scripts and sub-workflows do not run: they return the outcomes that an earlier execution recorded. Events are not
 * sent, waits receive the recorded events, and timers fire immediately.
 */
export interface DryRun extends Repetition {
  /**
   * Returns the error that ends the run if the earlier execution recorded no outcome of this call, or no event for this
   * wait.
   */
  missing(of: 'run-task' | 'listen', step: StepPath, key: string | number): WorkflowError | undefined;
}

/** Returns the definition of a dry run from its execution, or undefined for any other execution. */
export function dryRunDefinition(execution: {
  readonly triggerType: string;
  readonly metadata: JsonValue | null;
}): WorkflowDefinition | undefined {
  const { triggerType, metadata } = execution;
  if (triggerType !== DRY_RUN || !isObject(metadata)) return undefined;
  return isObject(metadata.definition) ? metadata.definition : undefined;
}

export async function createDryRun(
  { database, payloads }: { readonly database: Database; readonly payloads: PayloadStore | undefined },
  sourceExecutionId: string,
): Promise<DryRun> {
  const { steps, timers, events } = await traceOf(database, sourceExecutionId);
  const byStep = new Map<string, TracedStep>();
  for (const step of steps) byStep.set(`${step.attempt}\n${namesOf(step.step)}`, step);
  const taken = Map.groupBy(events, ({ wait }) => namesOf(wait));
  const fired = new Set(timers.map(namesOf));
  const eventsTaken = (wait: string) =>
    (taken.get(namesOf(wait)) ?? []).map(({ event }) => event as unknown as CloudEvent);
  const recorded = (step: StepPath, attempt: number) => byStep.get(`${attempt}\n${namesOf(step)}`);
  /** True if the earlier execution waited until this step or an enclosing step timed out. */
  const timedOut = (step: StepPath) =>
    [...fired].some((timer) => timer.includes('#timeout.') && namesOf(step).startsWith(timer.replace(/#.*$/, '')));

  return {
    outcomeOf(step, attempt) {
      const found = recorded(step, attempt);
      return async () => {
        if (found === undefined) throw new TaskFailure(notRecorded(step, 'outcome'));
        if (found.status === 'failed') throw new TaskFailure(found.error as unknown as WorkflowError);
        return readPayload(payloads, found.output, found.outputFile);
      };
    },
    firesAtOnce: (timer) => /#(?:wait|retry)\./.test(timer) || fired.has(namesOf(timer)),
    eventsTaken,
    missing(of, step, key) {
      if (of === 'run-task')
        return recorded(step, Number(key)) === undefined ? notRecorded(step, 'outcome') : undefined;
      return eventsTaken(String(key)).length > 0 || timedOut(step) ? undefined : notRecorded(step, 'event');
    },
  };
}

function notRecorded(step: StepPath, what: 'outcome' | 'event'): WorkflowError {
  // A call has steps of its own below the task. The name after the last list index is the task.
  const name = [...step.matchAll(/\/\d+\/([^/]+)/g)].at(-1)?.[1] ?? step;
  const detail = `the dry run stopped at the step "${name}" (${step}): the earlier execution recorded no ${what} of a step of this name`;
  return { ...engineError('Not recorded', detail), instance: step };
}

/** Removes list indexes from a path, so a moved task keeps its recorded outcome. Indexes of loop iterations stay. */
function namesOf(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|#|$)/g, '');
}
