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
  /** Starts a run and resolves to its handle as soon as the run is accepted. */
  start<In extends Input = Input, Result = unknown>(
    workflowId: string,
    input?: In,
    params?: StartWorkflowParams,
    options?: RequestOptions,
  ): Promise<Run<Result>>;
  /** Starts a run for each input, a few at once. A refused input does not stop the others. */
  startAll<In extends Input = Input, Result = unknown>(
    workflowId: string,
    inputs: readonly In[],
    params?: Omit<StartWorkflowParams, 'idempotencyKey'>,
    options?: BatchOptions,
  ): Promise<BatchStart<Result>[]>;
  /** A workflow by id or slug with the types of its input and result. */
  of<In extends Input = Input, Result = unknown>(workflowId: string): TypedWorkflow<In, Result>;
  /** Stops further use; a `push` makes it active again. Runs that were accepted continue. */
  delete(workflowId: string, options?: ChangeOptions): Promise<void>;
  /** Makes an older version, by id or tag, the current one again. */
  rollback(
    workflowId: string,
    version: string,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/workflows/{id}/rollback', 'post'>>;
  /** What is wrong with a definition, without a release. */
  check(yamlContent: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/workflows/check', 'post'>>;
  /** The triggers of a workflow. */
  triggers(workflowId: string, options?: RequestOptions): Promise<AnswerOf<'/api/v1/workflows/{id}/triggers', 'get'>>;
  /** Switches a trigger on or off. */
  setTrigger(
    workflowId: string,
    kind: Schemas['Trigger']['kind'],
    enabled: boolean,
    options?: RequestOptions,
  ): Promise<Schemas['Trigger']>;
  /** Starts of the workflow wait until it is resumed. Executions that run go on. `reason`: shown with it, and in the audit log. */
  pause(
    workflowId: string,
    params?: { readonly reason?: string | undefined },
    options?: RequestOptions,
  ): Promise<Schemas['GetWorkflowLimitsResponse']>;
  /** Starts that wait begin, within the limits of the workflow. */
  resume(workflowId: string, options?: RequestOptions): Promise<Schemas['GetWorkflowLimitsResponse']>;
  /** Whether it is paused, its limits and retention, and what waits for them. */
  limits(workflowId: string, options?: RequestOptions): Promise<Schemas['GetWorkflowLimitsResponse']>;
  /** The workflows that are paused, the newest pauses first. */
  paused(options?: RequestOptions): Promise<AnswerOf<'/api/v1/paused-workflows', 'get'>>;
}

/** One workflow with the types of its input and result, which the service checks where the workflow has schemas. */
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
