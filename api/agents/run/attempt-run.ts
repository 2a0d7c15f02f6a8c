import { accountOf } from '#api/executions/engine/account.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { LogLine, Sandbox } from '#api/executions/sandbox/port.ts';
import type { Secrets } from '#api/executions/secrets/secrets.ts';
import type { ConsoleLines } from '#api/executions/tasks/console-lines.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { type AgentConfig, limitsOf, readConfig } from '../agent-config.ts';
import { openRunMcp } from '../mcp/run-mcp.ts';
import { canAsk, permissionsOf } from '../permissions/decide-tool.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { listMcpConsents } from '../tables/agent-mcp-tools.ts';
import type { RunClaim } from '../tables/agent-run-calls.ts';
import { createCurrentPermissions } from './current-permissions.ts';
import { guardTools } from './guard-tools.ts';
import { noJournal, openJournal } from './journal.ts';
import { endpointOf, type ModelSettings } from './model-endpoint.ts';
import { priceOf } from './model-price.ts';
import { runModelAgent } from './model-runtime.ts';
import { matchesSchema, readOutputSchema } from './output-schema.ts';
import type { ReadRun } from './read-run.ts';
import type { RunRights } from './rights.ts';
import type { RunFiles } from './run-files.ts';
import { type RunToolsDeps, toolsOfRun } from './run-tools.ts';
import { type CheckedOutcome, RuntimeFailure } from './runtime.ts';
import { runScriptAgent } from './script-runtime.ts';
import type { Tool } from './tool.ts';
import { createAskPerson } from './tool-approvals.ts';
import type { Trace } from './trace.ts';
import { type ModelTracing, NO_MODEL_TRACING } from './trace-model-calls.ts';
import { watchTools } from './watch-tools.ts';

export interface AgentRunnerDeps extends RunToolsDeps {
  readonly sandbox: Sandbox;
  readonly schemas: SchemaCheck;
  readonly secrets: Pick<Secrets, 'readFor'>;
  readonly lines: ConsoleLines;
  /** Evaluates expressions of checks. If undefined, checks with an expression fail. */
  readonly evaluate?: EvaluateFor | undefined;
  /** The model of the operator. */
  readonly model: ModelSettings | undefined;
  /** Default: off. */
  readonly modelTracing?: ModelTracing | undefined;
}

/** Inputs and services of one run of an agent. */
export interface RunParts {
  readonly files: RunFiles;
  readonly trace: Trace;
  readonly secrets: ReadonlyMap<string, string>;
  readonly issue: (text: string) => void;
  readonly say: (line: LogLine) => void;
  readonly signal: AbortSignal;
  readonly input: JsonValue;
  readonly causation: number;
  readonly claim: RunClaim;
  /** Span of the run in the distributed trace. */
  readonly span: TraceContext | undefined;
}

/**
 * Returns a function that makes attempts of runs: it assembles the tools with permissions and journal, and starts the
 * runtime.
 */
export function createAttempt(deps: AgentRunnerDeps): (run: ReadRun, parts: RunParts) => Promise<CheckedOutcome> {
  const { database } = deps;
  return attempt;

  async function attempt(run: ReadRun, parts: RunParts): Promise<CheckedOutcome> {
    const { rights } = run;
    // Checked before requests to servers with secrets of the owner.
    if (rights === undefined) throw new RuntimeFailure('configuration', 'the account of the caller is closed');
    const { mcpServers } = run.config;
    if (mcpServers === undefined) return attemptWith(run, rights, parts, []);
    const consents = await listMcpConsents(database, run.agent.id);
    const mcp = await openRunMcp(mcpServers, consents, { ...parts, outbound: deps.outbound });
    return attemptWith(run, rights, parts, mcp.tools).finally(() => mcp.close());
  }

  async function attemptWith(
    run: ReadRun,
    rights: RunRights,
    parts: RunParts,
    mcpTools: readonly Tool[],
  ): Promise<CheckedOutcome> {
    const { execution, config } = run;
    const { trace, issue } = parts;
    const limits = limitsOf(config);
    const accepted = permissionsOf(config);
    const current = permissionsOf(readConfig(run.agent.config));
    const canWait = config.runtime === 'model' || canAsk(accepted) || canAsk(current);
    const journal = canWait ? await openJournal(database, parts.claim) : noJournal();
    const guarded = guardTools(toolsOfRun(deps, run, rights, { ...parts, mcpTools }), {
      permissions: [accepted, current],
      readCurrent: createCurrentPermissions({ database }, run.agent.id, current),
      canWait,
      journal,
      ask: createAskPerson({ database, redact: trace.redact }, parts.claim, canAsk(current) ? current : accepted),
    });
    const watched = watchTools(guarded, { trace, maxCalls: limits.toolCalls });
    const outputSchema = await readOutputSchema(run, parts.files, issue);
    const given = {
      ...parts,
      // Both accounts, because the code belongs to the agent and the input to the caller.
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
