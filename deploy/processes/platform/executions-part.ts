import { createAgentRuns } from '#api/agents/agent-runs.ts';
import { createAgents } from '#api/agents/agents.ts';
import { createDataset } from '#api/agents/dataset.ts';
import { createExperiments } from '#api/agents/experiments.ts';
import { createMcpTools } from '#api/agents/mcp/mcp-tools.ts';
import { createReview } from '#api/agents/review.ts';
import type { AgentRouteDeps } from '#api/agents/routes/deps.ts';
import { createSchemaCheck, type SchemaCheck } from '#api/agents/schema-check.ts';
import { createDecide } from '#api/executions/approvals/decide.ts';
import { createExecutions, type Executions } from '#api/executions/engine/executions.ts';
import { createExpressions, type Expressions } from '#api/executions/expressions/expressions.ts';
import { type Contents, createContents } from '#api/executions/files/contents.ts';
import {
  createStartLimits,
  createVersionLimits,
  type FindStartLimits,
  type VersionLimits,
} from '#api/executions/limits/start-limits.ts';
import { createTotals } from '#api/executions/lists/totals.ts';
import { createFilePayloads } from '#api/executions/payloads/file-payloads.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import type { ExecutionsDeps } from '#api/executions/register-executions.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createSecrets, type Secrets } from '#api/executions/secrets/secrets.ts';
import { createOwnerMay } from '#api/executions/tasks/functions/owner-may.ts';
import type { ExecutionWatch } from '#api/executions/watch/port.ts';
import { createExecutionWatch } from '#api/executions/watch/watch.ts';
import { createTaskPolls } from '#api/executions/worker-tasks/polls.ts';
import { createWorkerTasks } from '#api/executions/worker-tasks/worker-tasks.ts';
import { createFindUnit } from '#api/find-unit.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { ReadLists } from '#api/read-replica/read-lists.ts';
import { createGrants } from '#api/sharing/grants.ts';
import type { SharingDeps } from '#api/sharing/register-sharing.ts';
import { createTeams } from '#api/sharing/teams.ts';
import { createChecker } from '#api/workflows/definitions/checker.ts';
import { createReleases } from '#api/workflows/definitions/release.ts';
import { createSchemaSource } from '#api/workflows/definitions/schema-resources.ts';
import type { WorkflowRouteDeps } from '#api/workflows/routes/deps.ts';
import type { TriggerRouteDeps } from '#api/workflows/routes/triggers/deps.ts';
import { createWebhooks } from '#api/workflows/triggers/webhooks.ts';
import { openFileStore } from './file-store.ts';
import type { Foundation } from './foundation.ts';

/** Parts of executions for processes that request them and processes that run them. */
export interface ExecutionsPart {
  readonly contents: Contents;
  readonly payloads: PayloadStore;
  readonly executions: Executions;
  /**
   * Expressions of workflows and of the keys of their limits. Its threads start with the first expression that needs
   * one.
   */
  readonly expressions: Expressions;
  readonly startLimits: FindStartLimits;
  readonly versionLimits: VersionLimits;
  readonly secrets: Secrets;
  readonly schemas: SchemaCheck;
  /** One instance for all waiting callers and agents of this process. */
  readonly watch: ExecutionWatch;
}

/** Starts the parts that store and watch executions. */
export async function startExecutions({
  config,
  lifecycle,
  log,
  tracing,
  database,
  databaseUrl,
  audit,
  secrets,
}: Foundation): Promise<ExecutionsPart> {
  const store = await openFileStore(config, log);
  const payloads = createFilePayloads(store);
  const watch = await lifecycle.start('watch over executions', () => {
    const value = createExecutionWatch({ database, logger: log, listenUrl: databaseUrl });
    return { value, stop: () => value.close() };
  });
  const schemas = await lifecycle.start('schema checks', () => {
    const value = createSchemaCheck();
    return { value, stop: async () => value.close() };
  });
  const expressions = await lifecycle.start('expressions', () => {
    const value = createExpressions();
    return { value, stop: () => value.close() };
  });
  const versionLimits = createVersionLimits();
  const startLimits = createStartLimits({ database, evaluate: expressions.evaluate, versionLimits });
  return {
    contents: createContents({ database, store }),
    payloads,
    executions: createExecutions({
      database,
      logger: log,
      wakeUp: createWakeUp({ database, logger: log }),
      payloads,
      startLimits,
      versionLimits,
      tracing,
    }),
    expressions,
    startLimits,
    versionLimits,
    secrets: createSecrets({ database, audit }, { secrets: secrets.auth }),
    schemas,
    watch,
  };
}

/** Dependencies of the workflow and agent routes. */
export async function startExecutionRoutes(
  foundation: Foundation,
  part: ExecutionsPart,
  outbound: OutboundFetch,
  readLists: ReadLists | undefined,
): Promise<{
  readonly sharing: SharingDeps;
  readonly workflows: WorkflowRouteDeps;
  readonly executions: ExecutionsDeps;
  readonly agents: AgentRouteDeps;
  readonly triggers: TriggerRouteDeps;
}> {
  const { config, lifecycle, log, database, databaseUrl, audit } = foundation;
  const { auth: authSecrets } = foundation.secrets;
  const { contents, payloads, executions, secrets, schemas, watch, versionLimits } = part;
  const checker = await lifecycle.start('definition checks', () => {
    const { shellTasks, containerEngine, containerVolumes, containerPorts } = config.executions;
    const features = {
      shell: shellTasks,
      containers: containerEngine !== undefined,
      containerVolumes: containerVolumes.length > 0,
      containerPorts: containerPorts !== undefined,
    };
    const value = createChecker({ features });
    return { value, stop: async () => value.close() };
  });
  const { evaluate } = part.expressions;
  const schemaSource = createSchemaSource({ fetch: outbound, secrets, evaluate, checker });
  const countTotal = createTotals();
  const agents = createAgents({ database, contents, audit, schemas });
  const grants = createGrants({ database, audit });
  const runs = createAgentRuns({ database, executions, payloads, agents, schemas });
  const dataset = createDataset({ database, payloads, agents, runs, audit, checkTools: { schemas, evaluate } });
  return {
    sharing: { database, teams: createTeams({ database, audit }) },
    workflows: {
      database,
      audit,
      grants,
      releases: createReleases(
        { database, audit, checker, schemas: schemaSource },
        { minScheduleMs: config.platform.minScheduleMs },
      ),
      checker,
      executions,
      jobs: createJobQueue({ database, logger: foundation.log }),
      versionLimits,
      watch,
      payloads,
      contents,
      countTotal,
      readLists,
    },
    executions: {
      database,
      audit,
      executions,
      watch,
      payloads,
      secrets,
      countTotal,
      readLists,
      decide: createDecide({ database, audit, executions }),
      findUnit: createFindUnit({ database }),
      workerTasks: createWorkerTasks({
        database,
        wakeUp: createWakeUp({ database, logger: log }),
        polls: createTaskPolls({ logger: log, listenUrl: databaseUrl }),
      }),
    },
    agents: {
      database,
      agents,
      runs,
      grants,
      review: createReview({ database, contents }),
      dataset,
      experiments: createExperiments({ database, agents, dataset, schemas, audit }),
      mcpTools: createMcpTools({ database, agents, audit, outbound, secrets }),
      contents,
      payloads,
      watch,
      readLists,
    },
    triggers: {
      database,
      audit,
      webhooks: createWebhooks({
        database,
        audit,
        executions,
        ownerMay: createOwnerMay({ database }),
        seal: createSeal(authSecrets),
      }),
    },
  };
}
