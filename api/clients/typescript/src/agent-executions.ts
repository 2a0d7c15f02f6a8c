import { pathOf, type RequestOptions } from './call.ts';
import type { Download } from './download.ts';
import { iterateOffsets } from './pages.ts';
import type { Transport } from './transport.ts';
import type {
  AgentExecution,
  AgentExecutionExpectedArtifacts,
  AgentExecutionFeedbackDetail,
  AgentExecutionFilters,
  AgentExecutionResponse,
  CancelAgentExecutionResponse,
  CopyAgentExecutionOutputToExpectedBody,
  ExecutionSection,
  FileKind,
  ListAgentExecutionsResponse,
  NamedFile,
  RerunAgentExecutionResponse,
  UpdateAgentExecutionFeedbackBody,
} from './types/agents.ts';
import type { PageParams } from './types/base.ts';

/** Runs of agents: their state, files, feedback, and expected results. */
export interface AgentExecutions {
  /** Lists runs of an agent that match the filters, in the requested order. */
  list(
    agentId: string,
    params?: AgentExecutionFilters & PageParams,
    options?: RequestOptions,
  ): Promise<ListAgentExecutionsResponse>;
  /** Iterates over all runs of `list`, page by page. */
  iterate(
    agentId: string,
    params?: AgentExecutionFilters & Pick<PageParams, 'limit'>,
    options?: RequestOptions,
  ): AsyncGenerator<AgentExecution, void, undefined>;
  /** Returns one run with the requested sections. `waitForCompletion`: seconds to wait for its end, at most 60. */
  get(
    executionId: string,
    params?: {
      readonly include?: readonly ExecutionSection[] | undefined;
      readonly waitForCompletion?: number | undefined;
    },
    options?: RequestOptions,
  ): Promise<AgentExecutionResponse>;
  /** Requests the cancellation of a run. */
  cancel(executionId: string, options?: RequestOptions): Promise<CancelAgentExecutionResponse>;
  /** Starts a new run on the stored input of this run, which does not change. */
  rerun(
    executionId: string,
    options?: RequestOptions & { readonly idempotencyKey?: string | undefined },
  ): Promise<RerunAgentExecutionResponse>;
  /** Returns the feedback about a run, and its expected results. */
  getFeedback(executionId: string, options?: RequestOptions): Promise<AgentExecutionFeedbackDetail>;
  /** Changes the feedback about a run. Omitted fields stay as they are; null removes a value. */
  updateFeedback(
    executionId: string,
    body: UpdateAgentExecutionFeedbackBody,
    options?: RequestOptions,
  ): Promise<AgentExecutionFeedbackDetail>;
  /** Deletes feedback, expected JSON and expected files of a run. */
  clearFeedback(executionId: string, options?: RequestOptions): Promise<AgentExecutionFeedbackDetail>;
  /** Returns the expected results of a run: JSON and files. */
  listExpected(executionId: string, options?: RequestOptions): Promise<AgentExecutionExpectedArtifacts>;
  /** Marks an output file of the run as an expected file. */
  copyOutputToExpected(
    executionId: string,
    body: CopyAgentExecutionOutputToExpectedBody,
    options?: RequestOptions,
  ): Promise<NamedFile>;
  /** Uploads an expected file. `name`: its artifact path; default: the name of the file. */
  uploadExpected(
    executionId: string,
    file: Blob,
    params?: { readonly name?: string | undefined },
    options?: RequestOptions,
  ): Promise<NamedFile>;
  /** Streams an expected file. */
  downloadExpected(executionId: string, filename: string, options?: RequestOptions): Promise<Download>;
  /** Changes the artifact path of an expected file. */
  renameExpected(
    executionId: string,
    filename: string,
    body: { readonly name: string },
    options?: RequestOptions,
  ): Promise<NamedFile>;
  /** Deletes one expected file. */
  deleteExpected(executionId: string, filename: string, options?: RequestOptions): Promise<void>;
  /** Streams a file of a run. `issues.md` has the kind `issues`, and `trace.jsonl` the kind `trace`. */
  downloadFile(executionId: string, kind: FileKind, filename: string, options?: RequestOptions): Promise<Download>;
}

export function createAgentExecutions(transport: Transport): AgentExecutions {
  const execution = (executionId: string, ...more: string[]) =>
    `/api/v1/agents/executions${pathOf(executionId, ...more)}`;
  const executions: AgentExecutions = {
    list: async (agentId, params = {}, options) =>
      transport.json({
        method: 'GET',
        path: `/api/v1/agents${pathOf(agentId, 'executions')}`,
        query: { ...params },
        ...options,
      }),
    iterate: (agentId, params = {}, options) =>
      iterateOffsets(async (offset) => {
        const page = await executions.list(agentId, { ...params, offset }, options);
        return { items: page.executions, total: page.total };
      }),
    get: async (executionId, query = {}, options) =>
      transport.json({ method: 'GET', path: execution(executionId), query, ...options }),
    cancel: async (executionId, options) =>
      transport.json({ method: 'POST', path: execution(executionId, 'cancel'), repeatable: 'always', ...options }),
    rerun: async (executionId, { idempotencyKey, ...options } = {}) =>
      transport.json({
        method: 'POST',
        path: execution(executionId, 'rerun'),
        idempotencyKey,
        repeatable: 'by-key',
        ...options,
      }),
    getFeedback: async (executionId, options) =>
      transport.json({ method: 'GET', path: execution(executionId, 'feedback'), ...options }),
    updateFeedback: async (executionId, json, options) =>
      transport.json({ method: 'PATCH', path: execution(executionId, 'feedback'), json, ...options }),
    clearFeedback: async (executionId, options) =>
      transport.json({ method: 'DELETE', path: execution(executionId, 'feedback'), ...options }),
    listExpected: async (executionId, options) =>
      transport.json({ method: 'GET', path: execution(executionId, 'expected'), ...options }),
    copyOutputToExpected: async (executionId, json, options) =>
      transport.json({ method: 'POST', path: execution(executionId, 'expected'), json, ...options }),
    async uploadExpected(executionId, file, { name } = {}, options = {}) {
      const form = new FormData();
      if (name !== undefined) form.append('name', name);
      form.append('file', file);
      return transport.json({ method: 'POST', path: execution(executionId, 'expected'), form, ...options });
    },
    downloadExpected: async (executionId, filename, options) =>
      transport.download({ method: 'GET', path: execution(executionId, 'expected', filename), ...options }),
    renameExpected: async (executionId, filename, json, options) =>
      transport.json({ method: 'PATCH', path: execution(executionId, 'expected', filename), json, ...options }),
    deleteExpected: async (executionId, filename, options) =>
      transport.nothing({ method: 'DELETE', path: execution(executionId, 'expected', filename), ...options }),
    downloadFile: async (executionId, kind, filename, options) =>
      transport.download({ method: 'GET', path: execution(executionId, 'files', kind, filename), ...options }),
  };
  return executions;
}
