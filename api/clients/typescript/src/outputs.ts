import type { RequestOptions } from './call.ts';
import { type AnswerOf, type BodyOf, type ChangeOptions, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

type Output = Schemas['Output'];

/** Outputs: receivers of detections and cases. For administrators. */
export interface Outputs {
  /** Lists the kinds of outputs with their settings. */
  kinds(options?: RequestOptions): Promise<AnswerOf<'/api/output-kinds', 'get'>>;
  list(options?: RequestOptions): Promise<AnswerOf<'/api/outputs', 'get'>>;
  get(id: string, options?: RequestOptions): Promise<Output>;
  create(body: BodyOf<'/api/outputs', 'post'>, options?: RequestOptions): Promise<Output>;
  update(id: string, change: BodyOf<'/api/outputs/{id}', 'patch'>, options?: ChangeOptions): Promise<Output>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /** Returns the state of deliveries: state, lag, the last error, and messages that the receiver refused. */
  deliveries(
    id: string,
    params?: QueryOf<'/api/outputs/{id}/deliveries'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/outputs/{id}/deliveries', 'get'>>;
  /** Sends a marked test detection. Resolves to the response of the receiver. */
  test(id: string, options?: RequestOptions): Promise<AnswerOf<'/api/outputs/{id}/test', 'post'>>;
  /** Sends refused messages again: those with the given `ids`, or all. */
  resend(
    id: string,
    body?: BodyOf<'/api/outputs/{id}/resend', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/outputs/{id}/resend', 'post'>>;
}

export function createOutputs(transport: Transport): Outputs {
  const routes = createRoutes(transport);
  const one = '/api/outputs/{id}';
  return {
    kinds: (options) => routes.json('get', '/api/output-kinds', options),
    list: (options) => routes.json('get', '/api/outputs', options),
    get: (id, options) => routes.json('get', one, { path: [id], ...options }),
    create: (json, options) => routes.json('post', '/api/outputs', { json, ...options }),
    update: (id, json, options) => routes.json('patch', one, { path: [id], json, ...options }),
    delete: (id, options) => routes.nothing('delete', one, { path: [id], ...options }),
    deliveries: (id, query, options) => routes.json('get', `${one}/deliveries`, { path: [id], query, ...options }),
    test: (id, options) => routes.json('post', `${one}/test`, { path: [id], ...options }),
    resend: (id, json = {}, options = {}) => routes.json('post', `${one}/resend`, { path: [id], json, ...options }),
  };
}
