import type { RequestOptions } from './call.ts';
import { iterateOffsets } from './pages.ts';
import { type AnswerOf, type BodyOf, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

type Path = '/api/v1/agents/{agentId}/experiments';

/** Experiments compare two versions of an agent on the same examples. */
export interface AgentExperiments {
  /** Starts the runs of both versions. `get` returns their results. */
  start(agentId: string, experiment: BodyOf<Path, 'post'>, options?: RequestOptions): Promise<AnswerOf<Path, 'post'>>;
  /** Lists the experiments of an agent, newest first. */
  list(agentId: string, params?: QueryOf<Path>, options?: RequestOptions): Promise<AnswerOf<Path, 'get'>>;
  /** Iterates over all items of `list`, page by page. */
  iterate(
    agentId: string,
    options?: RequestOptions,
  ): AsyncGenerator<AnswerOf<Path, 'get'>['data'][number], void, undefined>;
  /**
   * Returns the runs of an experiment in pairs, and the comparison of the versions. `open`: number of runs that have
   * not ended.
   */
  get(agentId: string, experimentId: string, options?: RequestOptions): Promise<Schemas['GetAgentExperimentResponse']>;
}

/** Checks that are applied to each run of an example: rules, and judgements by a model. */
export interface AgentChecks {
  get(agentId: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/agents/{agentId}/checks', 'get'>>;
  /** Replaces all checks of the agent. */
  set(
    agentId: string,
    checks: BodyOf<'/api/v1/agents/{agentId}/checks', 'put'>['checks'],
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/agents/{agentId}/checks', 'put'>>;
}

export function createExperiments(transport: Transport): AgentExperiments {
  const routes = createRoutes(transport);
  const all = '/api/v1/agents/{agentId}/experiments';
  const experiments: AgentExperiments = {
    start: (id, json, options) => routes.json('post', all, { path: [id], json, ...options }),
    list: (id, query, options) => routes.json('get', all, { path: [id], query, ...options }),
    iterate: (id, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await experiments.list(id, { offset }, options);
        return { items: data, total };
      }),
    get: (id, experiment, options) =>
      routes.json('get', `${all}/{experimentId}`, { path: [id, experiment], ...options }),
  };
  return experiments;
}

export function createChecks(transport: Transport): AgentChecks {
  const routes = createRoutes(transport);
  const path = '/api/v1/agents/{agentId}/checks';
  return {
    get: (id, options) => routes.json('get', path, { path: [id], ...options }),
    set: (id, checks, options) => routes.json('put', path, { path: [id], json: { checks }, ...options }),
  };
}
