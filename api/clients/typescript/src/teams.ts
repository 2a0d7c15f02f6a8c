import type { RequestOptions } from './call.ts';
import { iterateOffsets } from './pages.ts';
import { type AnswerOf, createRoutes, type QueryOf } from './routes.ts';
import type { Transport } from './transport.ts';

type ListTeams = AnswerOf<'/api/v1/teams', 'get'>;

/** Teams, to which grants and approvals refer. Administrators change them in the console. */
export interface Teams {
  /** Lists teams with their members. `mine`: only teams of the key's owner. */
  list(params?: QueryOf<'/api/v1/teams'>, options?: RequestOptions): Promise<ListTeams>;
  /** Iterates over all items of `list`, page by page. */
  iterate(
    params?: Omit<QueryOf<'/api/v1/teams'>, 'offset'>,
    options?: RequestOptions,
  ): AsyncGenerator<ListTeams['data'][number], void, undefined>;
}

export function createTeams(transport: Transport): Teams {
  const routes = createRoutes(transport);
  const teams: Teams = {
    list: (query, options) => routes.json('get', '/api/v1/teams', { query, ...options }),
    iterate: (params = {}, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await teams.list({ ...params, offset }, options);
        return { items: data, total };
      }),
  };
  return teams;
}
