import type { JsonValue } from '../../json-value.ts';
import type { A2aTask, AsyncApiTask, CatalogTask, GrpcTask, HttpTask, McpTask, OpenApiTask } from './call-task.ts';
import type { ContainerTask, PythonTask, ScriptTask, ShellTask } from './process-task.ts';

/** Starts another workflow as a child. */
export interface WorkflowTask {
  readonly kind: 'workflow';
  readonly slug: string;
  readonly version: string;
  readonly input: JsonValue;
  readonly await: boolean;
}

/** Runs on an external worker that leases tasks of the queue; see `worker-tasks/`. */
export interface WorkerQueueTask {
  readonly kind: 'worker';
  readonly queue: string;
  readonly type: string;
  readonly input: JsonValue;
  /** Time at which the timeout of the step ends the task. */
  readonly deadline?: string;
}

/**
 * An external task. Its arguments are evaluated. Secrets are still references (`{"$secret": "name"}`): as whole values
 * of headers, query and authentication, and anywhere in a body.
 */
export type ExternalTask =
  | HttpTask
  | OpenApiTask
  | AsyncApiTask
  | GrpcTask
  | McpTask
  | A2aTask
  | CatalogTask
  | ScriptTask
  | PythonTask
  | ShellTask
  | ContainerTask
  | WorkflowTask
  | WorkerQueueTask;
