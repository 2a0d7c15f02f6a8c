import { type AgentExecutions, createAgentExecutions } from './agent-executions.ts';
import { pathOf, type RequestOptions } from './call.ts';
import { type AgentChecks, type AgentExperiments, createChecks, createExperiments } from './experiments.ts';
import type { Executions } from './follow.ts';
import { type FileContent, fileBody, formOf, type Input, splitInput } from './form.ts';
import { iterateOffsets } from './pages.ts';
import { type AnswerOf, type BodyOf, type ChangeOptions, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import { type BatchOptions, type BatchStart, type Run, startAll } from './runs.ts';
import { createGrants, type SharingGrants } from './sharing.ts';
import type { Transport } from './transport.ts';
import type {
  Agent,
  CreateAgentBody,
  CreateAgentResponse,
  GetAgentResponse,
  ListAgentsParams,
  ListAgentsResponse,
  PatchAgentBody,
  PatchAgentResponse,
  RunAgentParams,
  RunAgentResponse,
} from './types/agents.ts';
import type { PageParams } from './types/base.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Examples of the dataset with which an agent is evaluated. */
export interface AgentExamples {
  list(agentId: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/agents/{agentId}/examples', 'get'>>;
  put(
    agentId: string,
    name: string,
    example: BodyOf<'/api/v1/agents/{agentId}/examples/{name}', 'put'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/agents/{agentId}/examples/{name}', 'put'>>;
  delete(agentId: string, name: string, options?: RequestOptions): Promise<void>;
  /** Adds an execution to the examples. */
  promote(
    executionId: string,
    name: string,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/agents/executions/{executionId}/promote', 'post'>>;
  /** Runs the agent on its examples. `evaluation` returns the results. */
  evaluate(
    agentId: string,
    body?: BodyOf<'/api/v1/agents/{agentId}/evaluations', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/agents/{agentId}/evaluations', 'post'>>;
  evaluation(
    agentId: string,
    batchId: string,
    options?: RequestOptions,
  ): Promise<Schemas['GetAgentEvaluationResponse']>;
}

type StartAgentParams = Omit<RunAgentParams, 'waitForCompletion'>;

/** An agent with types for its input and output. The service validates them if the agent has schemas. */
export interface TypedAgent<In extends Input, Output> {
  start(input: In, params?: StartAgentParams, options?: RequestOptions): Promise<Run<Output>>;
  startAll(
    inputs: readonly In[],
    params?: Omit<StartAgentParams, 'idempotencyKey'>,
    options?: BatchOptions,
  ): Promise<BatchStart<Output>[]>;
}

/**
 * Agents: units with a workspace of files that are run, re-run, cancelled and rated. Methods take the id or slug of an
 * agent.
 */
export interface Agents {
  readonly executions: AgentExecutions;
  readonly grants: SharingGrants;
  readonly examples: AgentExamples;
  readonly experiments: AgentExperiments;
  readonly checks: AgentChecks;
  /** Returns runs, tokens and cost of an agent over time. */
  usage(
    agentId: string,
    params?: QueryOf<'/api/v1/agents/{agentId}/usage'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/agents/{agentId}/usage', 'get'>>;
  /** Lists the agents that the key may access. */
  list(params?: ListAgentsParams, options?: RequestOptions): Promise<ListAgentsResponse>;
  /** Iterates over all agents of `list`, page by page. */
  iterate(params?: Omit<ListAgentsParams, 'offset'>, options?: RequestOptions): AsyncGenerator<Agent, void, undefined>;
  /** Returns one agent with the requested sections. */
  get(
    agentId: string,
    params?: { readonly include?: readonly ('files' | 'dataset')[] | undefined },
    options?: RequestOptions,
  ): Promise<GetAgentResponse>;
  /** Creates an agent with an empty workspace. */
  create(body: CreateAgentBody, options?: RequestOptions): Promise<CreateAgentResponse>;
  /** Changes the given fields; other fields stay as they are. */
  update(agentId: string, body: PatchAgentBody, options?: RequestOptions): Promise<PatchAgentResponse>;
  /** Starts a run. Input values of type Blob or File are streamed as files. */
  run(agentId: string, input?: Input, params?: RunAgentParams, options?: RequestOptions): Promise<RunAgentResponse>;
  /** Starts a run and resolves to its handle as soon as the run is accepted. */
  start<In extends Input = Input, Output = unknown>(
    agentId: string,
    input?: In,
    params?: StartAgentParams,
    options?: RequestOptions,
  ): Promise<Run<Output>>;
  /** Starts a run for each input, with limited concurrency. A refused input does not stop the others. */
  startAll<In extends Input = Input, Output = unknown>(
    agentId: string,
    inputs: readonly In[],
    params?: Omit<StartAgentParams, 'idempotencyKey'>,
    options?: BatchOptions,
  ): Promise<BatchStart<Output>[]>;
  /** Returns an agent by id or slug, with types for its input and output. */
  of<In extends Input = Input, Output = unknown>(agentId: string): TypedAgent<In, Output>;
  /** Archives the agent; `update` with `archived: false` makes it active again. Accepted runs continue. */
  delete(agentId: string, options?: ChangeOptions): Promise<void>;
  /** Lists versions of the workspace, newest first. */
  versions(
    agentId: string,
    params?: PageParams,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/agents/{agentId}/versions', 'get'>>;
  /**
   * Lists the live files of the workspace. `prefix` limits them to a folder, `path` to one file. `version` selects an
   * older state.
   */
  listFiles(
    agentId: string,
    params?: {
      readonly path?: string | undefined;
      readonly prefix?: string | undefined;
      readonly version?: number | undefined;
    },
    options?: RequestOptions,
  ): Promise<JsonObject>;
  /** Writes one file of the workspace. */
  putFile(
    agentId: string,
    path: string,
    content: FileContent,
    params?: { readonly contentType?: string | undefined; readonly prefix?: string | undefined },
    options?: RequestOptions,
  ): Promise<JsonObject>;
  /** Writes several files of the workspace in one version, by path. */
  uploadFiles(
    agentId: string,
    files: Readonly<Record<string, FileContent>>,
    options?: RequestOptions,
  ): Promise<JsonObject>;
}

const AGENTS = '/api/v1/agents';

export function createAgents(transport: Transport, runs: Pick<Executions, 'run'>): Agents {
  const routes = createRoutes(transport);
  const one = '/api/v1/agents/{agentId}';
  const agent = (agentId: string, ...more: string[]) => AGENTS + pathOf(agentId, ...more);
  const agents: Agents = {
    executions: createAgentExecutions(transport),
    grants: createGrants(transport, 'agents'),
    experiments: createExperiments(transport),
    checks: createChecks(transport),
    usage: (id, query, options) => routes.json('get', `${one}/usage`, { path: [id], query, ...options }),
    examples: {
      list: (id, options) => routes.json('get', `${one}/examples`, { path: [id], ...options }),
      put: (id, name, json, options) =>
        routes.json('put', `${one}/examples/{name}`, { path: [id, name], json, ...options }),
      delete: (id, name, options) =>
        routes.nothing('delete', `${one}/examples/{name}`, { path: [id, name], ...options }),
      promote: (id, name, options) =>
        routes.json('post', '/api/v1/agents/executions/{executionId}/promote', {
          path: [id],
          json: { name },
          ...options,
        }),
      evaluate: (id, json = {}, options = {}) =>
        routes.json('post', `${one}/evaluations`, { path: [id], json, ...options }),
      evaluation: (id, batch, options) =>
        routes.json('get', `${one}/evaluations/{batchId}`, { path: [id, batch], ...options }),
    },
    start: async (id, input, params, options) => runs.run((await agents.run(id, input, params, options)).executionId),
    startAll: (id, inputs, params, options = {}) =>
      startAll(
        inputs,
        (input, idempotencyKey) => agents.start(id, input, { ...params, idempotencyKey }, { signal: options.signal }),
        options,
      ),
    of: (id) => ({
      start: (input, params, options) => agents.start(id, input, params, options),
      startAll: (inputs, params, options) => agents.startAll(id, inputs, params, options),
    }),
    delete: (id, options) => routes.nothing('delete', one, { path: [id], ...options }),
    versions: (id, query, options) => routes.json('get', `${one}/versions`, { path: [id], query, ...options }),
    list: (query = {}, options) => transport.json({ method: 'GET', path: AGENTS, query: { ...query }, ...options }),
    iterate: (params = {}, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await agents.list({ ...params, offset }, options);
        return { items: data, total };
      }),
    get: async (agentId, query = {}, options) =>
      transport.json({ method: 'GET', path: agent(agentId), query, ...options }),
    create: (json, options) => transport.json({ method: 'POST', path: AGENTS, json, ...options }),
    update: async (agentId, json, options) =>
      transport.json({ method: 'PATCH', path: agent(agentId), json, ...options }),
    async run(agentId, input = {}, params = {}, options = {}) {
      const { metadata, waitForCompletion, idempotencyKey, batchId, exampleId, exampleName } = params;
      const { scalars, files } = splitInput(input);
      const extra = { _metadata: metadata, batchId, exampleId, exampleName };
      if (files.length > 0 && Object.values(extra).some((value) => value !== undefined))
        throw new TypeError("metadata, batch and example can't be given for a run with files");
      const body =
        files.length > 0
          ? { form: formOf(files, Object.keys(scalars).length > 0 ? scalars : undefined) }
          : { json: { input: scalars, ...extra } };
      const path = agent(agentId, 'run');
      return transport.json({
        method: 'POST',
        path,
        query: { waitForCompletion },
        idempotencyKey,
        repeatable: 'by-key',
        ...body,
        ...options,
      });
    },
    listFiles: async (agentId, query = {}, options) =>
      transport.json({ method: 'GET', path: agent(agentId, 'files'), query, ...options }),
    async putFile(agentId, path, content, { contentType, prefix } = {}, options = {}) {
      const json = { ...(await fileBody(content)), ...(contentType === undefined ? {} : { contentType }) };
      const query = { path, prefix };
      return transport.json({ method: 'PUT', path: agent(agentId, 'files'), query, json, ...options });
    },
    async uploadFiles(agentId, contents, options) {
      const files = [];
      for (const [path, content] of Object.entries(contents)) files.push({ path, ...(await fileBody(content)) });
      return transport.json({ method: 'POST', path: agent(agentId, 'files'), json: { files }, ...options });
    },
  };
  return agents;
}
