import type { RequestOptions } from './call.ts';
import { type AnswerOf, type BodyOf, createRoutes, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

type Selection = BodyOf<'/api/v1/workflows/{id}/bulk-actions', 'post'>;

/** Cancels or replays many executions of a workflow, in the background. */
export interface BulkActions {
  /** Counts the executions that a bulk action would affect. Read-only. */
  count(
    workflowId: string,
    selection: Selection,
    options?: RequestOptions,
  ): Promise<Schemas['CountBulkActionResponse']>;
  /**
   * Starts a bulk action. `expected`: the count that the user confirmed. The service refuses the action if more
   * executions match now.
   */
  start(
    workflowId: string,
    selection: Selection,
    options?: RequestOptions,
  ): Promise<Schemas['StartBulkActionResponse']>;
  /** Lists the newest 20 bulk actions of a workflow. */
  list(workflowId: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/workflows/{id}/bulk-actions', 'get'>>;
  /** Returns one bulk action with its progress. */
  get(workflowId: string, actionId: string, options?: RequestOptions): Promise<Schemas['StartBulkActionResponse']>;
  /** Stops a bulk action after the executions in progress. Completed work stays. */
  stop(workflowId: string, actionId: string, options?: RequestOptions): Promise<Schemas['StartBulkActionResponse']>;
}

export function createBulkActions(transport: Transport): BulkActions {
  const routes = createRoutes(transport);
  const all = '/api/v1/workflows/{id}/bulk-actions';
  return {
    count: (id, json, options) =>
      routes.json('post', `${all}/count`, { path: [id], json, repeatable: 'always', ...options }),
    start: (id, json, options) => routes.json('post', all, { path: [id], json, ...options }),
    list: (id, options) => routes.json('get', all, { path: [id], ...options }),
    get: (id, actionId, options) => routes.json('get', `${all}/{actionId}`, { path: [id, actionId], ...options }),
    stop: (id, actionId, options) =>
      routes.json('post', `${all}/{actionId}/stop`, { path: [id, actionId], repeatable: 'always', ...options }),
  };
}
