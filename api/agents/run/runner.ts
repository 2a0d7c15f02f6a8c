import { ERROR_TYPES } from '#api/executions/engine/contract/standard-error.ts';
import { TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import { AgentWait, type RunAgent } from '#api/executions/engine/worker/agent-run.ts';
import type { LogLine } from '#api/executions/sandbox/port.ts';
import { secretOwner } from '#api/executions/secrets/secret-owner.ts';
import { secretUsesOf } from '../agent-config.ts';
import { secretUsesOfChecks } from '../evaluation/checks.ts';
import { type AgentRunnerDeps, createAttempt } from './attempt-run.ts';
import { evaluateExample } from './evaluate-example.ts';
import { keepOutcome } from './keep-outcome.ts';
import { readRun } from './read-run.ts';
import { createRunFiles } from './run-files.ts';
import { RuntimeFailure } from './runtime.ts';
import { ApprovalNeeded } from './tool-approvals.ts';
import { createTrace } from './trace.ts';

/**
 * Runs executions of agents for a worker. Rejects with `TaskFailure` if the agent failed. In both cases, files,
 * schemaValid, model and cost are written; the worker writes status, output and error. A restarted run begins from its
 * snapshot, so external effects of its tools may occur twice.
 */
export function createAgentRunner(deps: AgentRunnerDeps): RunAgent {
  const { database, contents } = deps;
  const attempt = createAttempt(deps);

  return async ({ executionId, attempt: epoch, input, causation, trace: span, signal, finalizing }) => {
    const run = await readRun(database, executionId);
    if (run === undefined)
      throw failureOf(new RuntimeFailure('configuration', 'the agent of this execution does not exist any more'));
    const files = createRunFiles(deps, run);
    const issues: string[] = [];
    const uses = [...secretUsesOf(run.config), ...secretUsesOfChecks(run.execution.checks ?? [])];
    const owner = secretOwner(run.agent.ownerId);
    const secrets = uses.length === 0 ? new Map<string, string>() : await deps.secrets.readFor(owner, uses);
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
    if (!kept) throw new Error('the lease of the execution is lost');
    if (failed) throw failureOf(ended);
    return ended.output;
  };
}

function failureOf({ code, message }: RuntimeFailure): TaskFailure {
  const status = code === 'timeout' || code === 'limit' ? 408 : 500;
  const kind = code === 'configuration' || code === 'timeout' ? code : 'runtime';
  return new TaskFailure({ type: `${ERROR_TYPES}${kind}`, status, title: 'The agent failed', detail: message });
}
