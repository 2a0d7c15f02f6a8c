import type { TaskContext as EngineTaskContext } from '../engine/contract/task-context.ts';

/** The part of a run that the tasks of this folder use. */
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
