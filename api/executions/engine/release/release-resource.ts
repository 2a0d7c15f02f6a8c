import type { EvaluateFor } from '../../expressions/evaluate.ts';
import type { JsonValue } from '../../json-value.ts';
import type { ResourceReference } from '../contract/call-task.ts';
import type { WorkflowDefinition } from '../contract/port.ts';
import { TaskFailure } from '../contract/task-failure.ts';
import { Fault } from '../interpreter/faults.ts';
import type { Run, Step } from '../interpreter/frames.ts';
import { createPace } from '../interpreter/pace.ts';
import { resourceOf } from '../interpreter/resource.ts';
import { BYTES_PER_ADVANCE, DEFAULT_BUDGET } from '../interpreter/value-budget.ts';

/** A definition during its release. */
export interface Releasing {
  readonly definition: WorkflowDefinition;
  readonly secretNames: readonly string[];
  readonly evaluate: EvaluateFor;
}

/**
 * Returns an external resource and its authentication policy, for a request during a release. There is no input, so
 * expressions see only `$secrets`. Rejects with `TaskFailure` if the policy is invalid.
 */
export async function resourceAtRelease(
  { definition, secretNames, evaluate }: Releasing,
  resource: JsonValue,
): Promise<ResourceReference> {
  const at = new Date().toISOString();
  const workflow = { id: '', name: '', version: '' };
  const run: Run = {
    definition,
    context: { executionId: '', ownerId: null, workflow, input: null, startedAt: at, overrides: {}, secretNames },
    evaluate,
    schemas: undefined,
    at,
    event: undefined,
    commands: [],
    steps: [],
    exported: null,
    taken: 0,
    left: 0,
    stepsPerRun: 0,
    budget: DEFAULT_BUDGET,
    runTask: () => Promise.reject(new Error('a release runs no task')),
    recorded: 0,
    room: BYTES_PER_ADVANCE,
    pace: createPace(),
    busy: false,
    paused: false,
  };
  const frame = { kind: '', name: '', attempt: 1, startedAt: at, raw: null, input: null, timeout: false };
  const step: Step = {
    run,
    frame,
    task: {},
    path: '',
    scope: { variables: {}, visit: '', slots: [], depth: 0 },
  };
  return resourceOf(step, resource).catch((error: unknown) => {
    throw error instanceof Fault ? new TaskFailure(error.error) : error;
  });
}
