import type { HttpTask } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';
import type { TaskContext } from '../port.ts';
import type { SendHttp } from './http-exchange.ts';

/** Runs `call: http`. A status of 400 or more is an error, and 300 to 399 unless `redirect` is set. */
export function createHttpTask(send: SendHttp) {
  return async (task: HttpTask, context: TaskContext): Promise<JsonValue> => (await send(task, context)).output();
}
