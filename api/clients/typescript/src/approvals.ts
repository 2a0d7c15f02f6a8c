import type { RequestOptions } from './call.ts';
import { type List, listBy } from './cursor-list.ts';
import { type AnswerOf, type BodyOf, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

/** Executions that wait for a decision of the caller. */
export interface Approvals extends List<Schemas['Wait'], QueryOf<'/api/v1/waits'>, AnswerOf<'/api/v1/waits', 'get'>> {
  /** Returns the number of pending approvals, up to 100. */
  count(options?: RequestOptions): Promise<AnswerOf<'/api/v1/waits/count', 'get'>>;
  /** Approves or rejects. `executionId` and `wait` are values from the list. */
  decide(
    decision: BodyOf<'/api/v1/waits/decide', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/waits/decide', 'post'>>;
}

export function createApprovals(transport: Transport): Approvals {
  const routes = createRoutes(transport);
  return {
    ...listBy((query, options) => routes.json('get', '/api/v1/waits', { query, ...options })),
    count: (options) => routes.json('get', '/api/v1/waits/count', options),
    decide: (json, options) => routes.json('post', '/api/v1/waits/decide', { json, ...options }),
  };
}
