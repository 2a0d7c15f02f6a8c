import { type AgentExecutions, createAgentExecutions } from './agent-executions.ts';
import { pathOf, type RequestOptions } from './call.ts';
import { type FileContent, fileBody, formOf, type Input, splitInput } from './form.ts';
import { iterateOffsets } from './pages.ts';
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

type JsonObject = Readonly<Record<string, unknown>>;

/** Agents: units with a workspace of files that are run, re-run, cancelled and rated. An agent is named by id or slug. */
export interface Agents {
  readonly executions: AgentExecutions;
  /** The agents the key may access. */
  list(params?: ListAgentsParams, options?: RequestOptions): Promise<ListAgentsResponse>;
  /** All agents of `list`, page by page. */
  iterate(params?: Omit<ListAgentsParams, 'offset'>, options?: RequestOptions): AsyncGenerator<Agent, void, undefined>;
  /** One agent, with the sections asked for. */
  get(
    agentId: string,
    params?: { readonly include?: readonly ('files' | 'dataset')[] | undefined },
    options?: RequestOptions,
  ): Promise<GetAgentResponse>;
  /** Makes an agent with an empty workspace. */
  create(body: CreateAgentBody, options?: RequestOptions): Promise<CreateAgentResponse>;
  /** Changes what is given; the rest stays. */
  update(agentId: string, body: PatchAgentBody, options?: RequestOptions): Promise<PatchAgentResponse>;
  /** Starts a run. Values of the input that are Blobs or Files are streamed as files. */
  run(agentId: string, input?: Input, params?: RunAgentParams, options?: RequestOptions): Promise<RunAgentResponse>;
  /** The live files of the workspace, all or those below `prefix`; with `path` that one file; with `version` as it was then. */
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
  /** Writes several files of the workspace at once, by their paths. */
  uploadFiles(
    agentId: string,
    files: Readonly<Record<string, FileContent>>,
    options?: RequestOptions,
  ): Promise<JsonObject>;
}

const AGENTS = '/api/v1/agents';

export function createAgents(transport: Transport): Agents {
  const agent = (agentId: string, ...more: string[]) => AGENTS + pathOf(agentId, ...more);
  const agents: Agents = {
    executions: createAgentExecutions(transport),
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
