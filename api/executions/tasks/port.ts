import type { TaskContext as EngineTaskContext, RunTask as RunEngineTask } from '../engine/runner.ts';

/** The part of a run that a task needs. */
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
 * Runs one external task once; the definition decides about retries. Resolves to the output. Rejects with
 * `TaskFailure`, which the definition may catch, or with the reason of the signal if it aborts. Any other rejection is
 * an internal error.
 */
export type RunTask = RunEngineTask;
