import type { RequestOptions } from './call.ts';
import { type AnswerOf, type BodyOf, createRoutes } from './routes.ts';
import type { Transport } from './transport.ts';

type AllGrants = AnswerOf<'/api/v1/workflows/{id}/grants', 'get'>;

/** Grants on workflows or agents: who may see, run, edit or approve. */
export interface SharingGrants {
  list(id: string, options?: RequestOptions): Promise<AllGrants>;
  /** Grants a permission to a user, a team or a role. */
  create(
    id: string,
    grant: BodyOf<'/api/v1/workflows/{id}/grants', 'post'>,
    options?: RequestOptions,
  ): Promise<AllGrants>;
  delete(id: string, grantId: string, options?: RequestOptions): Promise<void>;
}

export function createGrants(transport: Transport, kind: 'workflows' | 'agents'): SharingGrants {
  const routes = createRoutes(transport);
  const all = `/api/v1/${kind}/{id}/grants` as '/api/v1/workflows/{id}/grants';
  return {
    list: (id, options) => routes.json('get', all, { path: [id], ...options }),
    create: (id, json, options) => routes.json('post', all, { path: [id], json, repeatable: 'always', ...options }),
    delete: (id, grant, options) => routes.nothing('delete', `${all}/{grant}`, { path: [id, grant], ...options }),
  };
}
