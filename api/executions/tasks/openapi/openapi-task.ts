import type { HttpTask, OpenApiTask } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Documents } from '../documents/documents.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { findOperation } from './operation.ts';
import { OpenApiProblem } from './problem.ts';
import { requestOf } from './request.ts';

/** Calls an operation of an OpenAPI document: builds the request from the document, then runs it as `call: http`. */
export function createOpenApiTask({
  http,
  documents,
}: {
  readonly http: (task: HttpTask, context: TaskContext) => Promise<JsonValue>;
  readonly documents: Documents;
}) {
  return async (task: OpenApiTask, context: TaskContext): Promise<JsonValue> => {
    const { document, operationId, parameters, authentication, output, redirect } = task;
    const description = await documents.value(document, context);
    let request: Pick<HttpTask, 'method' | 'endpoint' | 'headers' | 'query' | 'body'>;
    try {
      request = requestOf(findOperation(description, operationId, document.endpoint), parameters);
    } catch (error) {
      if (!(error instanceof OpenApiProblem)) throw error;
      throw taskFailure(error.kind, context.step, `${operationId}: ${error.message}`);
    }
    return http(
      { kind: 'http', ...request, ...(authentication === undefined ? {} : { authentication }), output, redirect },
      context,
    );
  };
}
