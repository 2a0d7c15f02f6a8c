import { pathOf, type RequestOptions } from './call.ts';
import { formOf, type Input, splitInput } from './form.ts';
import { iterateOffsets } from './pages.ts';
import type { Transport } from './transport.ts';
import type { PageParams } from './types/base.ts';
import type {
  ListVersionsResponse,
  ListWorkflowsParams,
  ListWorkflowsResponse,
  PushParams,
  ReleaseResponse,
  RunWorkflowParams,
  RunWorkflowResponse,
  Workflow,
  WorkflowSummary,
  WorkflowVersion,
} from './types/workflows.ts';
import { createWorkflowExecutions, type WorkflowExecutions } from './workflow-executions.ts';

/** Workflows: released definitions that are run by id or slug. */
export interface Workflows {
  readonly executions: WorkflowExecutions;
  /** The workflows the key may access. */
  list(params?: ListWorkflowsParams, options?: RequestOptions): Promise<ListWorkflowsResponse>;
  /** All workflows of `list`, page by page. */
  iterate(
    params?: Omit<ListWorkflowsParams, 'offset'>,
    options?: RequestOptions,
  ): AsyncGenerator<Workflow, void, undefined>;
  /** One workflow with its current version, definition and YAML. */
  get(workflowId: string, options?: RequestOptions): Promise<WorkflowSummary>;
  /**
   * Makes a definition the current one of its slug: a changed one becomes a new version, one that is current already changes nothing. Rejects with
   * a ServiceValidationError when it is not valid; the issues carry place, line and column.
   */
  push(slug: string, yamlContent: string, params?: PushParams, options?: RequestOptions): Promise<ReleaseResponse>;
  /** The released versions, newest first. */
  versions(workflowId: string, params?: PageParams, options?: RequestOptions): Promise<ListVersionsResponse>;
  /** All of `versions`, page by page. */
  iterateVersions(workflowId: string, options?: RequestOptions): AsyncGenerator<WorkflowVersion, void, undefined>;
  /** Starts a run. Values of the input that are Blobs or Files are streamed as files. */
  run(
    workflowId: string,
    input?: Input,
    params?: RunWorkflowParams,
    options?: RequestOptions,
  ): Promise<RunWorkflowResponse>;
}

const WORKFLOWS = '/api/v1/workflows';

export function createWorkflows(transport: Transport): Workflows {
  const workflow = (workflowId: string, ...more: string[]) => WORKFLOWS + pathOf(workflowId, ...more);
  const run: Workflows['run'] = async (workflowId, input, params = {}, options = {}) => {
    const { version, waitForCompletion, idempotencyKey, overrides, trigger } = params;
    const { scalars, files } = splitInput(input);
    const named = Object.keys(scalars).length > 0;
    const json = {
      ...(named || (input !== undefined && files.length === 0) ? { input: scalars } : {}),
      ...(overrides === undefined ? {} : { overrides }),
      ...(trigger === undefined ? {} : { trigger }),
    };
    const body = files.length > 0 ? { form: formOf(files, Object.keys(json).length > 0 ? json : undefined) } : { json };
    const query = { version, waitForCompletion };
    return transport.json({
      method: 'POST',
      path: workflow(workflowId, 'run'),
      query,
      idempotencyKey,
      repeatable: 'by-key',
      ...body,
      ...options,
    });
  };
  const workflows: Workflows = {
    executions: createWorkflowExecutions(transport, run),
    run,
    list: (query = {}, options) => transport.json({ method: 'GET', path: WORKFLOWS, query: { ...query }, ...options }),
    iterate: (params = {}, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await workflows.list({ ...params, offset }, options);
        return { items: data, total };
      }),
    get: async (workflowId, options) => transport.json({ method: 'GET', path: workflow(workflowId), ...options }),
    push: async (slug, yamlContent, params = {}, options = {}) =>
      transport.json({ method: 'PUT', path: workflow(slug), json: { yamlContent, ...params }, ...options }),
    versions: async (workflowId, query = {}, options) =>
      transport.json({ method: 'GET', path: workflow(workflowId, 'versions'), query: { ...query }, ...options }),
    iterateVersions: (workflowId, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await workflows.versions(workflowId, { offset }, options);
        return { items: data, total };
      }),
  };
  return workflows;
}
