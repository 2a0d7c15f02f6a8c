import { type BulkActions, createBulkActions } from './bulk-actions.ts';
import { pathOf, type RequestOptions } from './call.ts';
import type { Executions } from './follow.ts';
import { formOf, type Input, splitInput } from './form.ts';
import { iterateOffsets } from './pages.ts';
import { type AnswerOf, type ChangeOptions, createRoutes, type Schemas } from './routes.ts';
import { type BatchOptions, type BatchStart, type Run, startAll } from './runs.ts';
import { createGrants, type SharingGrants } from './sharing.ts';
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
  StartWorkflowParams,
  Workflow,
  WorkflowSummary,
  WorkflowVersion,
} from './types/workflows.ts';
import { createWorkflowExecutions, type WorkflowExecutions } from './workflow-executions.ts';

/** Workflows: released definitions that are run by id or slug. */
export interface Workflows {
  readonly executions: WorkflowExecutions;
  readonly grants: SharingGrants;
  readonly bulkActions: BulkActions;
  /** Lists the workflows that the key may access. */
  list(params?: ListWorkflowsParams, options?: RequestOptions): Promise<ListWorkflowsResponse>;
  /** Iterates over all workflows of `list`, page by page. */
  iterate(
    params?: Omit<ListWorkflowsParams, 'offset'>,
    options?: RequestOptions,
  ): AsyncGenerator<Workflow, void, undefined>;
  /** Returns one workflow with its current version, definition and YAML. */
  get(workflowId: string, options?: RequestOptions): Promise<WorkflowSummary>;
  /**
   * Releases a definition as the current version of its slug. An unchanged definition creates no version. Rejects with
   * a ServiceValidationError if it is invalid; the issues contain path, line and column.
   */
  push(slug: string, yamlContent: string, params?: PushParams, options?: RequestOptions): Promise<ReleaseResponse>;
  /** Lists the released versions, newest first. */
  versions(workflowId: string, params?: PageParams, options?: RequestOptions): Promise<ListVersionsResponse>;
  /** Iterates over all items of `versions`, page by page. */
  iterateVersions(workflowId: string, options?: RequestOptions): AsyncGenerator<WorkflowVersion, void, undefined>;
  /** Starts a run. Input values of type Blob or File are streamed as files. */
  run(
    workflowId: string,
    input?: Input,
    params?: RunWorkflowParams,
    options?: RequestOptions,
  ): Promise<RunWorkflowResponse>;
  /** Starts a run and resolves to its handle as soon as the run is accepted. */
  start<In extends Input = Input, Result = unknown>(
    workflowId: string,
    input?: In,
    params?: StartWorkflowParams,
    options?: RequestOptions,
  ): Promise<Run<Result>>;
  /** Starts a run for each input, with limited concurrency. A refused input does not stop the others. */
  startAll<In extends Input = Input, Result = unknown>(
    workflowId: string,
    inputs: readonly In[],
    params?: Omit<StartWorkflowParams, 'idempotencyKey'>,
    options?: BatchOptions,
  ): Promise<BatchStart<Result>[]>;
  /** Returns a workflow by id or slug, with types for its input and result. */
  of<In extends Input = Input, Result = unknown>(workflowId: string): TypedWorkflow<In, Result>;
  /** Archives the workflow; a `push` makes it active again. Accepted runs continue. */
  delete(workflowId: string, options?: ChangeOptions): Promise<void>;
  /** Makes an older version, by id or tag, the current one again. */
  rollback(
    workflowId: string,
    version: string,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/workflows/{id}/rollback', 'post'>>;
  /** Validates a definition without releasing it. */
  check(yamlContent: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/workflows/check', 'post'>>;
  /** Lists the triggers of a workflow. */
  triggers(workflowId: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/workflows/{id}/triggers', 'get'>>;
  /** Enables or disables a trigger. */
  setTrigger(
    workflowId: string,
    kind: Schemas['Trigger']['kind'],
    enabled: boolean,
    options?: RequestOptions,
  ): Promise<Schemas['Trigger']>;
  /**
   * Pauses the workflow: new starts are queued until it is resumed. Running executions continue. `reason` is displayed
   * and recorded in the audit log.
   */
  pause(
    workflowId: string,
    params?: { readonly reason?: string | undefined },
    options?: RequestOptions,
  ): Promise<Schemas['GetWorkflowLimitsResponse']>;
  /** Resumes the workflow: queued starts begin, within the limits of the workflow. */
  resume(workflowId: string, options?: RequestOptions): Promise<Schemas['GetWorkflowLimitsResponse']>;
  /** Returns the pause, limits and retention of the workflow, and its queued starts. */
  limits(workflowId: string, options?: RequestOptions): Promise<Schemas['GetWorkflowLimitsResponse']>;
  /** Lists the paused workflows, the latest pause first. */
  paused(options?: RequestOptions): Promise<AnswerOf<'/api/v1/paused-workflows', 'get'>>;
}

/** A workflow with types for its input and result. The service validates them if the workflow has schemas. */
export interface TypedWorkflow<In extends Input, Result> {
  start(input: In, params?: StartWorkflowParams, options?: RequestOptions): Promise<Run<Result>>;
  startAll(
    inputs: readonly In[],
    params?: Omit<StartWorkflowParams, 'idempotencyKey'>,
    options?: BatchOptions,
  ): Promise<BatchStart<Result>[]>;
}

const WORKFLOWS = '/api/v1/workflows';

export function createWorkflows(transport: Transport, runs: Pick<Executions, 'run'>): Workflows {
  const routes = createRoutes(transport);
  const one = '/api/v1/workflows/{id}';
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
    grants: createGrants(transport, 'workflows'),
    bulkActions: createBulkActions(transport),
    run,
    start: async (id, input, params = {}, options = {}) =>
      runs.run((await run(id, input, params, options)).executionId),
    startAll: (id, inputs, params, options = {}) =>
      startAll(
        inputs,
        (input, idempotencyKey) =>
          workflows.start(id, input, { ...params, idempotencyKey }, { signal: options.signal }),
        options,
      ),
    of: (id) => ({
      start: (input, params, options) => workflows.start(id, input, params, options),
      startAll: (inputs, params, options) => workflows.startAll(id, inputs, params, options),
    }),
    delete: (id, options) => routes.nothing('delete', one, { path: [id], ...options }),
    rollback: (id, version, options) =>
      routes.json('post', `${one}/rollback`, { path: [id], json: { version }, ...options }),
    check: (yamlContent, options) =>
      routes.json('post', `${WORKFLOWS}/check`, { json: { yamlContent }, repeatable: 'always', ...options }),
    triggers: (id, options) => routes.json('get', `${one}/triggers`, { path: [id], ...options }),
    setTrigger: (id, kind, enabled, options) =>
      routes.json('patch', `${one}/triggers/{kind}`, { path: [id, kind], json: { enabled }, ...options }),
    pause: (id, { reason } = {}, options = {}) =>
      routes.json('post', `${one}/pause`, {
        path: [id],
        json: reason === undefined ? {} : { reason },
        repeatable: 'always',
        ...options,
      }),
    resume: (id, options) => routes.json('post', `${one}/resume`, { path: [id], repeatable: 'always', ...options }),
    limits: (id, options) => routes.json('get', `${one}/limits`, { path: [id], ...options }),
    paused: (options) => routes.json('get', '/api/v1/paused-workflows', options),
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
