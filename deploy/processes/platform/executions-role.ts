import { createRunWorkflow } from '#api/agents/run/run-workflow.ts';
import { createAgentRunner } from '#api/agents/run/runner.ts';
import { createDecisionChanges } from '#api/detections/triage/change-decisions.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createMemoryBudget } from '#api/executions/engine/worker/memory-budget.ts';
import { createExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';
import { createConsoleLines } from '#api/executions/tasks/console-lines.ts';
import { createFunctions } from '#api/executions/tasks/functions/functions.ts';
import { createOwnerMay } from '#api/executions/tasks/functions/owner-may.ts';
import { createResolveSecrets } from '#api/executions/tasks/secrets.ts';
import { createTaskFiles } from '#api/executions/tasks/task-files.ts';
import { createTaskRunner, type TaskRunnerConfig } from '#api/executions/tasks/task-runner.ts';
import { SCRAPERS } from '#api/scrapers/scrapers.ts';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { createTriggers } from '#api/workflows/triggers/triggers.ts';
import { noticesOf } from './cases-part.ts';
import type { ExecutionsPart } from './executions-part.ts';
import type { Foundation } from './foundation.ts';
import { createMessageBroker } from './message-broker.ts';
import { observeExecutions } from './observe-executions.ts';
import type { OutboundPart } from './outbound-part.ts';

/** Runs workflows and agents until the process ends, and starts those triggered by schedules, events and detections. */
export async function startExecutionWorker(
  foundation: Foundation,
  part: ExecutionsPart,
  { fetch, connect, scraperPipeline }: OutboundPart,
): Promise<void> {
  const { config, lifecycle, log, tracing, database, databaseUrl, clickhouse, audit } = foundation;
  const { contents, payloads, executions, secrets, schemas, watch, startLimits, versionLimits } = part;
  const { evaluate } = part.expressions;
  const sandbox = await lifecycle.start('script sandbox', () => {
    const value = createSandbox();
    return { value, stop: () => value.close() };
  });
  const lines = createConsoleLines({ database, logger: log });
  const ownerMay = createOwnerMay({ database });
  const { definitionOf, resolveWorkflow } = createStoredDefinitions({ database });
  const tasks = {
    fetch,
    evaluate,
    outbound: connect,
    broker: createMessageBroker({ outbound: connect, logger: log }),
    sandbox,
    resolveSecrets: createResolveSecrets({ database, secrets }),
    files: createTaskFiles({ database, contents }),
    lines,
    callFunction: createFunctions({
      clickhouse,
      database,
      changeDecisions: createDecisionChanges({
        clickhouse,
        database,
        audit,
        logger: log,
        onAssigned: noticesOf(foundation).assigned,
      }),
      scraperPipeline,
      scrapers: SCRAPERS,
      ownerMay,
    }),
  };
  const { runTask, endRun } = await lifecycle.start('task runner', () => {
    const value = createTaskRunner(tasks, taskRunnerConfig(config));
    return { value, stop: () => value.close() };
  });
  const agents = createAgentRunner({
    database,
    contents,
    sandbox,
    schemas,
    lines,
    evaluate,
    outbound: fetch,
    clickhouse,
    secrets,
    runWorkflow: createRunWorkflow({ database, executions, watch, payloads }),
    model: config.model,
    modelTracing: { tracing, recordPrompts: config.tracing?.recordPrompts ?? false },
  });
  await lifecycle.start('execution worker', () => {
    const worker = createExecutionWorker(
      {
        database,
        interpreter: createInterpreter({
          evaluate,
          schemas,
          budget: { valueBytes: config.executions.maxValueBytes, runBytes: config.executions.maxRunBytes },
        }),
        definitions: definitionOf,
        resolveWorkflow,
        startLimits,
        versionLimits,
        runTask,
        endRun,
        agents,
        payloads,
        tracing,
        memoryBudget: createMemoryBudget({ totalBytes: config.executions.heldValueBytes }),
        logger: log,
        listenUrl: databaseUrl,
        isolationGate: foundation.isolationGate,
        ...observeExecutions(foundation),
      },
      { maxCrashes: config.executions.maxCrashes },
    );
    return { value: worker, stop: () => worker.stop(), takesWork: true };
  });
  await lifecycle.start('triggers', () => {
    const triggers = createTriggers({
      database,
      logger: log,
      clickhouse,
      tracing,
      executions,
      ownerMay,
      evaluate,
      schemas,
    });
    return { value: triggers, stop: () => triggers.stop(), takesWork: true };
  });
}

/** What the operator allows tasks to do outside of the process. */
function taskRunnerConfig({ executions }: Foundation['config']): TaskRunnerConfig {
  const { shellTasks, containerEngine, containerNetwork, containerVolumes, containerPorts } = executions;
  return {
    shell: { allowed: shellTasks },
    containers: {
      socketPath: containerEngine,
      network: containerNetwork,
      access: { volumes: containerVolumes, ports: containerPorts },
    },
  };
}
