import type { ExternalTask } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';
import type { Sandbox } from '../sandbox/port.ts';
import { taskFailure } from './failures.ts';
import type { CallFunction } from './functions/port.ts';
import { createHttpTask, type HttpTaskConfig, type HttpTaskDeps } from './http/http-task.ts';
import type { RunTask, TaskContext } from './port.ts';
import { createScriptTask } from './script-task.ts';

export interface TaskRunnerDeps extends HttpTaskDeps {
  readonly sandbox: Sandbox;
  /** Functions of the detection service, see `createFunctions`. */
  readonly callFunction: CallFunction;
  /** Starts another workflow in the name of the same owner, and resolves to its result; to null at once when it is not awaited. */
  readonly runWorkflow: (task: Extract<ExternalTask, { kind: 'workflow' }>, context: TaskContext) => Promise<JsonValue>;
}

/** Does what an execution does outside: http calls, functions of the detection service, scripts, other workflows. */
export function createTaskRunner(deps: TaskRunnerDeps, config: { readonly http?: HttpTaskConfig } = {}): RunTask {
  const http = createHttpTask(deps, config.http);
  const script = createScriptTask(deps);

  return async (task, context) => {
    context.signal.throwIfAborted();
    switch (task.kind) {
      case 'http': {
        const name = functionOf(task.endpoint);
        return name === undefined ? http(task, context) : deps.callFunction(name, task.body ?? {}, context);
      }
      case 'script':
        return script(task, context);
      case 'workflow':
        return deps.runWorkflow(task, context);
      default:
        throw taskFailure('configuration', (context as TaskContext).step, 'this task is not known here');
    }
  };
}

/** `trapline:<name>`: see `built-in-functions.ts`. */
function functionOf(endpoint: string): string | undefined {
  return /^trapline:(?<name>[\w.-]+)$/.exec(endpoint)?.groups?.name;
}
