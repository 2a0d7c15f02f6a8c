import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { exceededQuota, quotaMessage } from '#api/accounts/tables/quotas.ts';
import { accountOf } from '#api/executions/engine/account.ts';
import type { RunAgent } from '#api/executions/engine/agent-run.ts';
import { ERROR_TYPES } from '#api/executions/engine/standard-error.ts';
import { TaskFailure } from '#api/executions/engine/task-failure.ts';
import type { Contents } from '#api/executions/files/contents.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { LogLine, Sandbox } from '#api/executions/sandbox/port.ts';
import { secretOwner } from '#api/executions/secrets/secret-owner.ts';
import type { Secrets } from '#api/executions/secrets/secrets.ts';
import type { ConsoleLines } from '#api/executions/tasks/console-lines.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { limitsOf, OUTPUT_SCHEMA_FILE } from '../agent-config.ts';
import { SchemaBroken, type SchemaCheck } from '../schema-check.ts';
import { lockAgent } from '../tables/agents.ts';
import { writeWorkspace } from '../workspace.ts';
import { detectionTools } from './detection-tools.ts';
import { type Evaluation, evaluateRun } from './evaluate-run.ts';
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
import { type Tool, ToolFailure } from './tool.ts';
import { createTrace, type Trace } from './trace.ts';
import { watchTools } from './watch-tools.ts';

export interface AgentRunnerDeps {
  readonly database: Database;
  readonly contents: Contents;
  readonly sandbox: Sandbox;
  readonly schemas: SchemaCheck;
  readonly outbound: OutboundFetch;
  readonly clickhouse: ClickHouse;
  readonly secrets: Pick<Secrets, 'read'>;
  readonly lines: ConsoleLines;
  /** undefined: agents here run no workflows. */
  readonly runWorkflow: RunWorkflow | undefined;
  /** The operator's own model. */
  readonly model: ModelSettings | undefined;
}

/**
 * Runs executions of agents for a worker. It rejects with `TaskFailure` when the agent failed: then, as when it resolves, files, schemaValid, model
 * and cost are written; status, output and error are the worker's to write. A run that is begun again begins from its snapshot; what its tools
 * did outside may be done twice.
 */
export function createAgentRunner(deps: AgentRunnerDeps): RunAgent {
  const { database, contents } = deps;

  return async ({ executionId, attempt: epoch, input, causation, signal, finalizing }) => {
    const run = await readRun(database, executionId);
    if (run === undefined) throw failureOf(new RuntimeFailure('configuration', 'the agent of this execution is gone'));
    const files = createRunFiles(deps, run);
    const issues: string[] = [];
    const secret = run.config.model?.apiKeySecret;
    const owner = secretOwner(run.agent.ownerId);
    const secrets = secret === undefined ? new Map<string, string>() : await deps.secrets.read(owner, [secret]);
    const trace = createTrace([...secrets.values(), ...(deps.model?.apiKey === undefined ? [] : [deps.model.apiKey])]);
    trace.add('started', { agent: run.agent.slug, version: run.execution.workspaceVersion, attempt: epoch });

    const began = performance.now();
    const say = (line: LogLine) => deps.lines.add({ executionId, step: '' }, line);
    const parts = {
      files,
      trace,
      secrets,
      signal,
      input,
      causation,
      say,
      issue: (text: string) => void issues.push(text),
    };
    const ended = await attempt(run, parts).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof RuntimeFailure)) throw error;
      issues.push(error.message);
      return error;
    });
    await deps.lines.flush();
    signal.throwIfAborted();
    const failed = ended instanceof RuntimeFailure;
    const schemaValid = failed ? null : ended.schemaValid;
    const evaluation = await evaluate(run, files, ended);
    const cost = { ...ended.cost, durationMs: Math.round(performance.now() - began) };
    trace.add('ended', {
      status: failed ? 'failed' : 'completed',
      schemaValid,
      ...(evaluation === null ? {} : { passed: evaluation.passed }),
      ...cost,
    });
    const kept =
      (await finalizing()) &&
      (await keepOutcome(
        { database, contents },
        { executionId, epoch },
        { model: ended.model, schemaValid, cost, evaluation },
        { output: files.list('output'), issues, trace: trace.bytes() },
      ));
    if (!kept) throw new Error('the execution is not held any more');
    if (failed) throw failureOf(ended);
    return ended.output;
  };

  /** Compares what came of it with what its example expects; null for a run of no example. */
  async function evaluate(
    { execution, expectedFiles }: ReadRun,
    files: RunFiles,
    ended: RuntimeOutcome | RuntimeFailure,
  ): Promise<Evaluation | null> {
    const { comparison, expected } = execution;
    if (comparison === null || (expected === null && expectedFiles.length === 0)) return null;
    return evaluateRun(
      deps.schemas,
      { comparison, expected, files: expectedFiles },
      ended instanceof RuntimeFailure
        ? { error: ended.message }
        : { output: ended.output, files: files.list('output') },
      accountOf(execution.ownerId),
    );
  }

  async function attempt(
    run: ReadRun,
    parts: {
      readonly files: RunFiles;
      readonly trace: Trace;
      readonly secrets: ReadonlyMap<string, string>;
      readonly issue: (text: string) => void;
      readonly say: (line: LogLine) => void;
      readonly signal: AbortSignal;
      readonly input: JsonValue;
      readonly causation: number;
    },
  ): Promise<RuntimeOutcome & { readonly schemaValid: boolean | null }> {
    const { execution, config, rights } = run;
    const { trace, issue } = parts;
    if (rights === undefined) throw new RuntimeFailure('configuration', 'the account that ran this is closed');
    const limits = limitsOf(config);
    const watched = watchTools(toolsOf(run, rights, parts), { trace, mostCalls: limits.toolCalls });
    const outputSchema = await outputSchemaOf(run, parts.files, issue);
    const given = {
      ...parts,
      // The code is the agent's, the input that of the caller.
      account: `${accountOf(run.agent.ownerId)} ${accountOf(rights.userId)}`,
      config,
      limits,
      tools: watched.tools,
      outputSchema,
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
    return {
      ...outcome,
      cost,
      schemaValid: await fits(outputSchema, outcome.output, issue, accountOf(execution.ownerId)),
    };
  }

  /** What the configuration asks for and the caller's rights allow. */
  function toolsOf(
    run: ReadRun,
    rights: RunRights,
    { files, causation }: { readonly files: RunFiles; readonly causation: number },
  ): Tool[] {
    const { execution, agent, config } = run;
    const mayWrite = mayDo(rights, 'agents:write') && (rights.role === 'admin' || rights.userId === agent.ownerId);
    const write = async (path: string, bytes: Uint8Array, contentType: string) => {
      const content = await contents.putBytes(bytes, contentType);
      return inTransaction(database, async (transaction) => {
        const locked = await lockAgent(transaction, agent.id, { all: true });
        if (locked === undefined) throw new RuntimeFailure('configuration', 'the agent is gone');
        const author = `execution:${execution.executionId}`;
        return writeWorkspace(transaction, locked, [{ ...content, path }], author);
      }).catch((error: unknown) => {
        const exceeded = exceededQuota(error);
        throw exceeded === undefined ? error : new ToolFailure(quotaMessage(exceeded));
      });
    };
    const all = [
      ...fileTools(files, mayWrite ? write : undefined),
      ...(mayDo(rights, 'detections:read') ? detectionTools(deps.clickhouse) : []),
      ...(deps.runWorkflow !== undefined && mayDo(rights, 'workflows:run')
        ? [workflowTool(deps.runWorkflow, { rights, executionId: execution.executionId, causation })]
        : []),
      fetchTool(deps.outbound, { causation }),
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
      // reported below
    }
    issue(`${OUTPUT_SCHEMA_FILE} is no JSON Schema; the output was not checked`);
    return undefined;
  }

  async function fits(
    schema: object | undefined,
    output: JsonValue,
    issue: (text: string) => void,
    account: string | undefined,
  ) {
    if (schema === undefined) return null;
    try {
      const verdict = await deps.schemas.check(schema as JsonValue, output, account);
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

function failureOf({ code, message }: RuntimeFailure): TaskFailure {
  const status = code === 'timeout' || code === 'limit' ? 408 : 500;
  const kind = code === 'configuration' || code === 'timeout' ? code : 'runtime';
  return new TaskFailure({ type: `${ERROR_TYPES}${kind}`, status, title: 'The agent failed', detail: message });
}
