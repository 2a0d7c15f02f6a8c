import { accountOf } from '#api/executions/engine/account.ts';
import { AgentWait, type RunAgent } from '#api/executions/engine/agent-run.ts';
import type { EvaluateFor } from '#api/executions/engine/port.ts';
import { ERROR_TYPES } from '#api/executions/engine/standard-error.ts';
import { TaskFailure } from '#api/executions/engine/task-failure.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { LogLine, Sandbox } from '#api/executions/sandbox/port.ts';
import { secretOwner } from '#api/executions/secrets/secret-owner.ts';
import type { Secrets } from '#api/executions/secrets/secrets.ts';
import type { ConsoleLines } from '#api/executions/tasks/console-lines.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { type AgentConfig, limitsOf, readConfig, secretsOf } from '../agent-config.ts';
import { secretsOfChecks } from '../evaluation/checks.ts';
import { openRunMcp } from '../mcp/run-mcp.ts';
import { canAsk, permissionsOf } from '../permissions/decide-tool.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { listMcpConsents } from '../tables/agent-mcp-tools.ts';
import type { RunClaim } from '../tables/agent-run-calls.ts';
import { evaluateExample } from './evaluate-example.ts';
import { guardTools } from './guard-tools.ts';
import { noJournal, openJournal } from './journal.ts';
import { keepOutcome } from './keep-outcome.ts';
import { endpointOf, type ModelSettings } from './model-endpoint.ts';
import { priceOf } from './model-price.ts';
import { runModelAgent } from './model-runtime.ts';
import { matchesSchema, readOutputSchema } from './output-schema.ts';
import { type ReadRun, readRun } from './read-run.ts';
import { createRunFiles, type RunFiles } from './run-files.ts';
import { type RunToolsDeps, toolsOfRun } from './run-tools.ts';
import { type CheckedOutcome, RuntimeFailure } from './runtime.ts';
import { runScriptAgent } from './script-runtime.ts';
import type { Tool } from './tool.ts';
import { ApprovalNeeded, createAskPerson } from './tool-approvals.ts';
import { createTrace, type Trace } from './trace.ts';
import { type ModelTracing, NO_MODEL_TRACING } from './trace-model-calls.ts';
import { watchTools } from './watch-tools.ts';

export interface AgentRunnerDeps extends RunToolsDeps {
  readonly sandbox: Sandbox;
  readonly schemas: SchemaCheck;
  readonly secrets: Pick<Secrets, 'read'>;
  readonly lines: ConsoleLines;
  /** Expressions of checks; undefined: a check with one has not passed. */
  readonly evaluate?: EvaluateFor | undefined;
  /** The operator's own model. */
  readonly model: ModelSettings | undefined;
  /** Default: off. */
  readonly modelTracing?: ModelTracing | undefined;
}

/** What one run of an agent works with. */
interface RunParts {
  readonly files: RunFiles;
  readonly trace: Trace;
  readonly secrets: ReadonlyMap<string, string>;
  readonly issue: (text: string) => void;
  readonly say: (line: LogLine) => void;
  readonly signal: AbortSignal;
  readonly input: JsonValue;
  readonly causation: number;
  readonly claim: RunClaim;
  /** The run in its trace. */
  readonly span: TraceContext | undefined;
}

/**
 * Runs executions of agents for a worker. It rejects with `TaskFailure` when the agent failed: then, as when it resolves, files, schemaValid, model
 * and cost are written; status, output and error are the worker's to write. A run that is begun again begins from its snapshot; what its tools
 * did outside may be done twice.
 */
export function createAgentRunner(deps: AgentRunnerDeps): RunAgent {
  const { database, contents } = deps;

  return async ({ executionId, attempt: epoch, input, causation, trace: span, signal, finalizing }) => {
    const run = await readRun(database, executionId);
    if (run === undefined) throw failureOf(new RuntimeFailure('configuration', 'the agent of this execution is gone'));
    const files = createRunFiles(deps, run);
    const issues: string[] = [];
    const names = [...secretsOf(run.config), ...secretsOfChecks(run.execution.checks ?? [])];
    const owner = secretOwner(run.agent.ownerId);
    const secrets = names.length === 0 ? new Map<string, string>() : await deps.secrets.read(owner, names);
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
      span,
      say,
      issue: (text: string) => void issues.push(text),
      claim: { executionId, epoch },
    };
    const ended = await attempt(run, parts).catch((error: unknown) => {
      if (signal.aborted) throw error;
      if (error instanceof ApprovalNeeded) return error.wait;
      if (!(error instanceof RuntimeFailure)) throw error;
      issues.push(error.message);
      return error;
    });
    await deps.lines.flush();
    signal.throwIfAborted();
    if (ended instanceof AgentWait) return ended;
    const failed = ended instanceof RuntimeFailure;
    const schemaValid = failed ? null : ended.schemaValid;
    const used = { ...ended.cost, durationMs: Math.round(performance.now() - began) };
    const { evaluation, judgeCost } = await evaluateExample(deps, run, { ...parts, ended, cost: used });
    const cost = { ...used, ...judgeCost };
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

  async function attempt(run: ReadRun, parts: RunParts): Promise<CheckedOutcome> {
    const { mcpServers } = run.config;
    if (mcpServers === undefined) return attemptWith(run, parts, []);
    const consents = await listMcpConsents(database, run.agent.id);
    const mcp = await openRunMcp(mcpServers, consents, { ...parts, outbound: deps.outbound });
    return attemptWith(run, parts, mcp.tools).finally(() => mcp.close());
  }

  async function attemptWith(run: ReadRun, parts: RunParts, mcpTools: readonly Tool[]): Promise<CheckedOutcome> {
    const { execution, config, rights } = run;
    const { trace, issue } = parts;
    if (rights === undefined) throw new RuntimeFailure('configuration', 'the account that ran this is closed');
    const limits = limitsOf(config);
    const permissions = permissionsOf(config);
    const journal =
      config.runtime === 'model' || canAsk(permissions) ? await openJournal(database, parts.claim) : noJournal();
    const guarded = guardTools(toolsOfRun(deps, run, rights, { ...parts, mcpTools }), {
      permissions: [permissions, permissionsOf(readConfig(run.agent.config))],
      journal,
      ask: createAskPerson({ database, redact: trace.redact }, parts.claim, permissions),
    });
    const watched = watchTools(guarded, { trace, maxCalls: limits.toolCalls });
    const outputSchema = await readOutputSchema(run, parts.files, issue);
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
            {
              outbound: deps.outbound,
              journal,
              ...pricedEndpoint(config, parts.secrets),
              modelTracing: deps.modelTracing ?? NO_MODEL_TRACING,
              span: parts.span,
            },
            given,
          )
        : await runScriptAgent(deps.sandbox, given);
    const cost = { ...outcome.cost, toolCalls: watched.calls() };
    return {
      ...outcome,
      cost,
      tools: watched.answered(),
      schemaValid: await matchesSchema(deps.schemas, outputSchema, outcome.output, {
        issue,
        account: accountOf(execution.ownerId),
      }),
    };
  }

  function pricedEndpoint(config: AgentConfig, secrets: ReadonlyMap<string, string>) {
    const endpoint = endpointOf(config, deps.model, secrets);
    return { endpoint, price: priceOf(config, endpoint.name, deps.model?.prices) };
  }
}

function failureOf({ code, message }: RuntimeFailure): TaskFailure {
  const status = code === 'timeout' || code === 'limit' ? 408 : 500;
  const kind = code === 'configuration' || code === 'timeout' ? code : 'runtime';
  return new TaskFailure({ type: `${ERROR_TYPES}${kind}`, status, title: 'The agent failed', detail: message });
}
