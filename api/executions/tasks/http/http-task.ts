import type { JsonValue } from '../../json-value.ts';
import type { TaskContext } from '../port.ts';
import { createHttpExchange, type HttpTaskConfig, type HttpTaskDeps } from './http-exchange.ts';
import type { HttpTask } from './http-request.ts';

export type { HttpTaskConfig, HttpTaskDeps };

/** Runs `call: http`. A status of 400 and more is an error, 300 to 399 unless `redirect` says otherwise. */
export function createHttpTask(deps: HttpTaskDeps, config: HttpTaskConfig = {}) {
  const send = createHttpExchange(deps, config);
  return async (task: HttpTask, context: TaskContext): Promise<JsonValue> => (await send(task, context)).output();
}
