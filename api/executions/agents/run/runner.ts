import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { OutboundFetch } from '../../../outbound/port.ts';
import type { Database } from '../../../store/database.ts';
import { lockAgent } from '../../../store/tables/agents.ts';
import { inTransaction } from '../../../store/transaction.ts';
import type { WorkflowError } from '../../engine/port.ts';
import { ERROR_TYPES } from '../../engine/task-failure.ts';
import type { Contents } from '../../files/contents.ts';
import type { JsonValue } from '../../json-value.ts';
import { readPayload } from '../../payloads/keep-payload.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import { secretOwner } from '../../secrets/secret-owner.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { limitsOf, OUTPUT_SCHEMA_FILE } from '../agent-config.ts';
import { SchemaBroken, type SchemaCheck } from '../schema-check.ts';
import { writeWorkspace } from '../workspace.ts';
import { detectionTools } from './detection-tools.ts';
import { fileTools } from './file-tools.ts';
import { keepOutcome } from './keep-outcome.ts';
import { endpointOf, type ModelSettings } from './model-endpoint.ts';
import { runModelAgent } from './model-runtime.ts';
import { fetchTool, type RunWorkflow, workflowTool } from './outside-tools.ts';
import { type ReadRun, readRun } from './read-run.ts';
import { mayDo, type RunRights } from './rights.ts';
import { createRunFiles, type RunFiles } from './run-files.ts';
import { RuntimeFailure, type RuntimeOutcome } from './runtime.ts';
import { runScriptAgent } from './script-runtime.ts';
import type { Tool } from './tool.ts';
import { createTrace, type Trace } from './trace.ts';
import { watchTools } from './watch-tools.ts';

export interface AgentRunnerDeps {
  readonly database: Database;
  readonly contents: Contents;
  readonly payloads: PayloadStore | undefined;
  readonly sandbox: Sandbox;
  readonly schemas: SchemaCheck;
  readonly outbound: OutboundFetch;
  readonly clickhouse: ClickHouse;
  readonly secrets: Pick<Secrets, 'read'>;
  /** undefined: agents here run no workflows. */
  readonly runWorkflow: RunWorkflow | undefined;
  /** The operator's own model. */
  readonly model: ModelSettings | undefined;
}

/** What a worker has claimed. */
export interface AgentClaim {
  readonly id: string;
  readonly epoch: number;
}

export interface AgentRunContext {
  /** Aborts when the execution is cancelled or is not the worker's any more. */
  readonly signal: AbortSignal;
}

/** How the execution ends. Files, schemaValid, model and cost are written already; status, output and error are the worker's to write. */
export type AgentRunResult =
  | { readonly status: 'completed'; readonly output: JsonValue }
  | { readonly status: 'failed'; readonly error: WorkflowError };

/**
 * Runs executions of agents for a worker. Rejects when the signal aborted, when the claim was lost, or when a store is away: then nothing is known
 * of its end. A run that is begun again begins from its snapshot; what its tools did outside may be done twice.
 */
export function createAgentRunner(
  deps: AgentRunnerDeps,
): (execution: AgentClaim, context: AgentRunContext) => Promise<AgentRunResult> {
  const { database, contents } = deps;

  return async ({ id, epoch }, { signal }) => {
    const run = await readRun(database, id);
    if (run === undefined) return failed('configuration', 'the agent of this execution is gone');
    const files = createRunFiles(deps, run);
    const issues: string[] = [];
    const secret = run.config.model?.apiKeySecret;
    const owner = secretOwner(run.agent.ownerId);
    const secrets = secret === undefined ? new Map<string, string>() : await deps.secrets.read(owner, [secret]);
    const trace = createTrace([...secrets.values(), ...(deps.model?.apiKey === undefined ? [] : [deps.model.apiKey])]);
    trace.add('started', { agent: run.agent.slug, version: run.execution.workspaceVersion, attempt: epoch });

    const began = performance.now();
    const ended = await attempt(run, { files, trace, secrets, issue: (text) => issues.push(text), signal }).catch(
      (error: unknown) => {
        if (signal.aborted || !(error instanceof RuntimeFailure)) throw error;
        issues.push(error.message);
        return error;
      },
    );
    signal.throwIfAborted();
    const { model, cost } = ended;
    const schemaValid = ended instanceof RuntimeFailure ? null : ended.schemaValid;
    const result =
      ended instanceof RuntimeFailure
        ? failed(ended.code, ended.message)
        : ({ status: 'completed', output: ended.output } as const);
    trace.add('ended', { status: result.status, schemaValid, ...cost });
    const kept = await keepOutcome(
      { database, contents },
      { executionId: id, epoch },
      { model, schemaValid, cost: { ...cost, durationMs: Math.round(performance.now() - began) } },
      { output: files.list('output'), issues, trace: trace.bytes() },
    );
    if (!kept) throw new Error('the execution is not held any more');
    return result;
  };

  async function attempt(
    run: ReadRun,
    parts: {
      readonly files: RunFiles;
      readonly trace: Trace;
      readonly secrets: ReadonlyMap<string, string>;
      readonly issue: (text: string) => void;
      readonly signal: AbortSignal;
    },
  ): Promise<RuntimeOutcome & { readonly schemaValid: boolean | null }> {
    const { execution, config, rights } = run;
    const { trace, issue } = parts;
    if (rights === undefined) throw new RuntimeFailure('configuration', 'the account that ran this is closed');
    const limits = limitsOf(config);
    const watched = watchTools(toolsOf(run, rights, parts.files), { trace, mostCalls: limits.toolCalls });
    const outputSchema = await outputSchemaOf(run, parts.files, issue);
    const given = {
      ...parts,
      config,
      limits,
      tools: watched.tools,
      outputSchema,
      input: await readPayload(deps.payloads, execution.triggerInput, execution.triggerInputFile),
      metadata: execution.metadata ?? {},
    };
    const outcome =
      config.runtime === 'model'
        ? await runModelAgent(
            { outbound: deps.outbound, endpoint: endpointOf(config, deps.model, parts.secrets) },
            given,
          )
        : await runScriptAgent(deps.sandbox, given);
    const cost = { ...outcome.cost, toolCalls: watched.calls() };
    return { ...outcome, cost, schemaValid: await fits(outputSchema, outcome.output, issue) };
  }

  /** What the configuration asks for and the caller's rights allow. */
  function toolsOf(run: ReadRun, rights: RunRights, files: RunFiles): Tool[] {
    const { execution, agent, config } = run;
    const mayWrite = mayDo(rights, 'agents:write') && (rights.role === 'admin' || rights.userId === agent.ownerId);
    const write = async (path: string, bytes: Uint8Array, contentType: string) => {
      const content = await contents.putBytes(bytes);
      return inTransaction(database, async (transaction) => {
        const locked = await lockAgent(transaction, agent.id, { all: true });
        if (locked === undefined) throw new RuntimeFailure('configuration', 'the agent is gone');
        const author = `execution:${execution.executionId}`;
        return writeWorkspace(transaction, locked, [{ ...content, path, contentType }], author);
      });
    };
    const all = [
      ...fileTools(files, mayWrite ? write : undefined),
      ...(mayDo(rights, 'detections:read') ? detectionTools(deps.clickhouse) : []),
      ...(deps.runWorkflow !== undefined && mayDo(rights, 'workflows:run')
        ? [workflowTool(deps.runWorkflow, { rights, executionId: execution.executionId })]
        : []),
      fetchTool(deps.outbound),
    ];
    return config.tools === undefined ? all : all.filter(({ name }) => config.tools?.includes(name));
  }

  async function outputSchemaOf(run: ReadRun, files: RunFiles, issue: (text: string) => void) {
    if (run.config.outputSchema !== undefined) return run.config.outputSchema;
    if (!files.list('workspace').some(({ path }) => path === OUTPUT_SCHEMA_FILE)) return undefined;
    const { bytes } = await files.read('workspace', OUTPUT_SCHEMA_FILE);
    try {
      const schema: unknown = JSON.parse(bytes.toString());
      if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema;
    } catch {
      // told below
    }
    issue(`${OUTPUT_SCHEMA_FILE} is no JSON Schema; the output was not checked`);
    return undefined;
  }

  async function fits(schema: object | undefined, output: JsonValue, issue: (text: string) => void) {
    if (schema === undefined) return null;
    try {
      const verdict = await deps.schemas.check(schema, output);
      if (verdict.valid) return true;
      for (const { path, message } of verdict.problems) issue(`output ${path}: ${message}`);
      return false;
    } catch (error) {
      if (!(error instanceof SchemaBroken)) throw error;
      issue(`the output schema can't be used: ${error.message}`);
      return null;
    }
  }
}

function failed(code: RuntimeFailure['code'], message: string): AgentRunResult {
  const status = code === 'timeout' || code === 'limit' ? 408 : 500;
  const type = `${ERROR_TYPES}${code === 'configuration' ? 'configuration' : code === 'timeout' ? 'timeout' : 'runtime'}`;
  return { status: 'failed', error: { type, status, title: 'The agent failed', detail: message } };
}
