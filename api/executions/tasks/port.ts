import type { TaskContext as EngineTaskContext, RunTask as RunEngineTask } from '../engine/runner.ts';

/** What a task has to know of the run it belongs to. */
export type TaskContext = Pick<
  EngineTaskContext,
  | 'signal'
  | 'idempotencyKey'
  | 'executionId'
  | 'workflowId'
  | 'ownerId'
  | 'step'
  | 'secretNames'
  | 'causation'
  | 'trace'
>;

/**
 * Does one task outside, once: retries are the definition's. Resolves to the output. Rejects with `TaskFailure`, which the definition may catch; with the
 * signal's reason when that has aborted; and with anything else when the fault is ours.
 */
export type RunTask = RunEngineTask;
