import type { RequestOptions } from './call.ts';
import { type AnswerOf, type BodyOf, createRoutes } from './routes.ts';
import type { Transport } from './transport.ts';

/** Hosts that run the detector. */
export interface Detectors {
  list(options?: RequestOptions): Promise<AnswerOf<'/api/detectors', 'get'>>;
  /** Creates a one-time token with which a host is enrolled. For administrators. */
  createToken(
    body?: BodyOf<'/api/admin/detector-tokens', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/admin/detector-tokens', 'post'>>;
  /** Revokes the key of a host. For administrators. */
  revoke(hostname: string, options?: RequestOptions): Promise<void>;
}

export function createDetectors(transport: Transport): Detectors {
  const routes = createRoutes(transport);
  return {
    list: (options) => routes.json('get', '/api/detectors', options),
    createToken: (json = {}, options = {}) => routes.json('post', '/api/admin/detector-tokens', { json, ...options }),
    revoke: (hostname, options) =>
      routes.nothing('delete', '/api/admin/detectors/{hostname}', { path: [hostname], ...options }),
  };
}
