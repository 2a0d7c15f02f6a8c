import type { RequestOptions } from './call.ts';
import { type AnswerOf, type BodyOf, createRoutes, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

type Selection = BodyOf<'/api/v1/workflows/{id}/bulk-actions', 'post'>;

/** Cancels or replays many executions of a workflow, in the background. */
export interface BulkActions {
  /** How many executions a bulk action would act on. Nothing is changed. */
  count(
    workflowId: string,
    selection: Selection,
    options?: RequestOptions,
  ): Promise<Schemas['CountBulkActionResponse']>;
  /** Starts one. `expected`: the count that was confirmed; when there are more executions now, it is refused. */
  start(
    workflowId: string,
    selection: Selection,
    options?: RequestOptions,
  ): Promise<Schemas['StartBulkActionResponse']>;
  /** The newest 20 of a workflow. */
  list(workflowId: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/workflows/{id}/bulk-actions', 'get'>>;
  /** One with its progress. */
  get(workflowId: string, actionId: string, options?: RequestOptions): Promise<Schemas['StartBulkActionResponse']>;
  /** Ends one after the executions that it works on; what it has done stays. */
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
