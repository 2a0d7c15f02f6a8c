import type { SecretValue } from '#api/executions/secrets/secrets.ts';
import type { TaskContext } from '#api/executions/tasks/port.ts';

/** The value of a secret that may be sent to any host. */
export const unbound = (value: string): SecretValue => ({ value, hosts: null });

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
