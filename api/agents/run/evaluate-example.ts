import { accountOf } from '#api/executions/engine/account.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { passedAll, runChecks } from '../evaluation/run-checks.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { type Evaluation, evaluateRun } from './evaluate-run.ts';
import type { ModelSettings } from './model-endpoint.ts';
import type { ReadRun } from './read-run.ts';
import type { RunFiles } from './run-files.ts';
import { type CheckedOutcome, RuntimeFailure } from './runtime.ts';
import type { Trace } from './trace.ts';
import { type ModelTracing, NO_MODEL_TRACING } from './trace-model-calls.ts';

/** An ended run to evaluate. */
interface EndedRun {
  readonly ended: CheckedOutcome | RuntimeFailure;
  readonly cost: Readonly<Record<string, number>>;
  readonly input: JsonValue;
  readonly files: RunFiles;
  readonly secrets: ReadonlyMap<string, string>;
  readonly trace: Trace;
  readonly signal: AbortSignal;
  /** Span of the run in the distributed trace. */
  readonly span: TraceContext | undefined;
}

/**
 * Compares the outcome with the expectation of the example, and evaluates its checks. Returns no evaluation for a run
 * without an example.
 */
export async function evaluateExample(
  deps: {
    readonly schemas: SchemaCheck;
    readonly evaluate?: EvaluateFor | undefined;
    readonly outbound: OutboundFetch;
    readonly model: ModelSettings | undefined;
    /** Default: off. */
    readonly modelTracing?: ModelTracing | undefined;
  },
  { execution, expectedFiles }: ReadRun,
  { ended, cost, input, files, secrets, trace, signal, span }: EndedRun,
): Promise<{ readonly evaluation: Evaluation | null; readonly judgeCost: Readonly<Record<string, number>> }> {
  const { comparison, expected } = execution;
  const checks = execution.checks ?? [];
  if (comparison === null || (expected === null && expectedFiles.length === 0 && checks.length === 0))
    return { evaluation: null, judgeCost: {} };
  const account = accountOf(execution.ownerId);
  const failed = ended instanceof RuntimeFailure;
  const compared = await evaluateRun(
    deps.schemas,
    { comparison, expected, files: expectedFiles },
    failed ? { error: ended.message } : { output: ended.output, files: files.list('output') },
    account,
  );
  if (failed || checks.length === 0) return { evaluation: compared, judgeCost: {} };
  const checked = { input, output: ended.output, expected, cost, tools: ended.tools };
  const outcome = await runChecks(checks, checked, compared.passed === true, {
    schemas: deps.schemas,
    evaluate: deps.evaluate,
    account,
    outbound: deps.outbound,
    model: deps.model,
    secrets,
    redact: trace.redact,
    modelTracing: deps.modelTracing ?? NO_MODEL_TRACING,
    span,
    signal,
  });
  for (const { name, passed, message } of outcome.checks) trace.add('check', { name, passed, message });
  const passed = passedAll(compared.passed === true, outcome.checks);
  return { evaluation: { ...compared, passed, checks: outcome.checks }, judgeCost: outcome.judgeCost };
}
