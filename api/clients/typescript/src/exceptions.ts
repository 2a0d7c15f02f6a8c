import type { RequestOptions } from './call.ts';
import { type List, listBy } from './cursor-list.ts';
import { type AnswerOf, type BodyOf, type ChangeOptions, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

type Policy = AnswerOf<'/api/exceptions/policy', 'get'>;
type Requested = AnswerOf<'/api/exception-requests', 'post'>;

/** Exceptions silence detections without deleting them. */
export interface Exceptions
  extends List<Schemas['DetectionException'], QueryOf<'/api/exceptions'>, AnswerOf<'/api/exceptions', 'get'>> {
  create(
    body: BodyOf<'/api/exceptions', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/exceptions', 'post'>>;
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** Returns the detections that an exception would have silenced. */
  preview(
    body: BodyOf<'/api/exceptions/preview', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/exceptions/preview', 'post'>>;
  /** Returns whether analysts may create exceptions themselves. */
  policy(options?: RequestOptions): Promise<Policy>;
  updatePolicy(change: BodyOf<'/api/exceptions/policy', 'patch'>, options?: ChangeOptions): Promise<Policy>;
}

/** Requests for exceptions. An administrator other than the requester decides. */
export interface ExceptionRequests
  extends List<
    AnswerOf<'/api/exception-requests', 'get'>['data'][number],
    QueryOf<'/api/exception-requests'>,
    AnswerOf<'/api/exception-requests', 'get'>
  > {
  create(body: BodyOf<'/api/exception-requests', 'post'>, options?: RequestOptions): Promise<Requested>;
  /** Creates the exception. `reason` is sent to the requester and recorded in the audit log. */
  approve(
    id: string,
    reason: string,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/exception-requests/{id}/approve', 'post'>>;
  reject(id: string, reason: string, options?: RequestOptions): Promise<Requested>;
  /** Withdraws a request of the caller. */
  withdraw(id: string, options?: RequestOptions): Promise<void>;
}

export function createExceptions(transport: Transport): Exceptions {
  const routes = createRoutes(transport);
  return {
    ...listBy((query, options) => routes.json('get', '/api/exceptions', { query, ...options })),
    create: (json, options) => routes.json('post', '/api/exceptions', { json, ...options }),
    delete: (id, options) => routes.nothing('delete', '/api/exceptions/{id}', { path: [id], ...options }),
    preview: (json, options) =>
      routes.json('post', '/api/exceptions/preview', { json, repeatable: 'always', ...options }),
    policy: (options) => routes.json('get', '/api/exceptions/policy', options),
    updatePolicy: (json, options) => routes.json('patch', '/api/exceptions/policy', { json, ...options }),
  };
}

export function createExceptionRequests(transport: Transport): ExceptionRequests {
  const routes = createRoutes(transport);
  const one = '/api/exception-requests/{id}';
  return {
    ...listBy((query, options) => routes.json('get', '/api/exception-requests', { query, ...options })),
    create: (json, options) => routes.json('post', '/api/exception-requests', { json, ...options }),
    approve: (id, reason, options) =>
      routes.json('post', `${one}/approve`, { path: [id], json: { reason }, ...options }),
    reject: (id, reason, options) => routes.json('post', `${one}/reject`, { path: [id], json: { reason }, ...options }),
    withdraw: (id, options) => routes.nothing('delete', one, { path: [id], ...options }),
  };
}
