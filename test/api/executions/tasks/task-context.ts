import type { TaskContext } from '#api/executions/tasks/port.ts';

/** A step of an execution. */
export function taskContext(over: Partial<TaskContext> = {}): TaskContext {
  return {
    executionId: 'exec_1',
    step: '/do/0/call',
    idempotencyKey: 'exec_1:/do/0/call',
    ownerId: null,
    workflowId: 'wf_1',
    secretNames: [],
    causation: 0,
    signal: new AbortController().signal,
    ...over,
  };
}
