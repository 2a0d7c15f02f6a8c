import { pino } from 'pino';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { RunTask } from '#api/executions/engine/contract/task-context.ts';
import { createExecutions, type Executions, type NewExecution } from '#api/executions/engine/executions.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import {
  createExecutionWorker,
  type ExecutionWorker,
  type ExecutionWorkerConfig,
  type ExecutionWorkerDeps,
} from '#api/executions/engine/worker/worker.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import type { ExecutionWrite } from '#api/executions/store/execution-write.ts';
import type { Execution } from '#api/executions/tables/executions.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { waitFor } from '#test/support/wait-for.ts';

export const OWNER = '11111111-1111-4111-8111-111111111111';
export const OTHER_OWNER = '22222222-2222-4222-8222-222222222222';

/** The real interpreter without an evaluator, because the definitions of these tests have no expressions. */
export const interpreter = createInterpreter({
  evaluate: (expression) => Promise.reject(new Error(`no expressions here: ${expression}`)),
});

/** A workflow that runs these tasks in order. */
export function workflow(tasks: Readonly<Record<string, JsonValue>>): WorkflowDefinition {
  return {
    document: { dsl: '1.0.0', namespace: 'test', name: 'test', version: '1.0.0' },
    do: Object.entries(tasks).map(([name, task]) => ({ [name]: task })),
  };
}

/** A task for `runTask`, which receives the code. */
export const script = (code: string): JsonValue => ({ run: { script: { language: 'javascript', code } } });
export const listenTo = (type: string): JsonValue => ({ listen: { to: { one: { with: { type } } } } });
export const wait = (milliseconds: number): JsonValue => ({ wait: { milliseconds } });
export const runChild = (name: string, input: JsonValue = {}, awaited = true): JsonValue => ({
  run: { workflow: { namespace: 'test', name, version: '1.0.0', input }, await: awaited },
});
export const event = (id: string, type: string, data: JsonValue = null): CloudEvent => ({
  specversion: '1.0',
  id,
  source: 'test',
  type,
  data,
});

/** The write of a claim without outcomes, changed by `more`. */
export const nothingButWrite = (id: string, epoch: number, more: Partial<ExecutionWrite>): ExecutionWrite => ({
  id,
  epoch,
  status: 'running',
  state: '{}',
  stateFile: null,
  result: null,
  resultFile: null,
  error: null,
  steps: [],
  timers: [],
  firedTimers: [],
  endedTimers: [],
  waits: [],
  endedWaits: [],
  signals: [],
  events: [],
  ...more,
});

export interface EngineFixture {
  readonly executions: Executions;
  readonly definitions: Map<string, WorkflowDefinition>;
  /** Results of `runTask` by the code of a script. A missing entry returns the code itself. */
  readonly tasks: Map<string, RunTask>;
  /** Codes of scripts in the order in which they began. */
  readonly begun: { readonly code: string; readonly executionId: string; readonly idempotencyKey: string }[];
  work(config?: ExecutionWorkerConfig, deps?: Partial<ExecutionWorkerDeps>): ExecutionWorker;
  run(version: string, more?: Partial<NewExecution>): Promise<string>;
  row(id: string): Promise<Execution>;
  /** Waits until the execution has this status. */
  until(id: string, status: Execution['status']): Promise<Execution>;
  stopAll(): Promise<void>;
  /** Stops all workers and deletes all executions and everything that belongs to them. */
  clear(): Promise<void>;
}

/** Workers and callers on one database. */
export function createEngineFixture(
  database: Database,
  url: string,
  payloads?: PayloadStore,
  limits: Pick<ExecutionWorkerDeps, 'startLimits' | 'versionLimits'> = {},
): EngineFixture {
  const logger = pino({ level: process.env.ENGINE_LOG ?? 'silent' });
  const wakeUp = createWakeUp({ database, logger });
  const executions = createExecutions({ database, logger, wakeUp, payloads, ...limits });
  const definitions = new Map<string, WorkflowDefinition>();
  const tasks = new Map<string, RunTask>();
  const begun: { code: string; executionId: string; idempotencyKey: string }[] = [];
  const workers: ExecutionWorker[] = [];
  const row = (id: string) =>
    database.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const stopAll = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  };
  return {
    executions,
    definitions,
    tasks,
    begun,
    work(config, deps) {
      const worker = createExecutionWorker(
        {
          database,
          interpreter,
          definitions: async (version) => definitions.get(version),
          async runTask(task, context) {
            const code = task.kind === 'script' ? task.code : '';
            begun.push({ code, executionId: context.executionId, idempotencyKey: context.idempotencyKey });
            const custom = tasks.get(code);
            return custom === undefined ? code : custom(task, context);
          },
          resolveWorkflow: async ({ slug }) => ({ workflowId: `wf_${slug}`, versionId: slug }),
          payloads,
          logger,
          listenUrl: url,
          ...limits,
          ...deps,
        },
        // A lease of one minute, so that no lease expires on a slow machine.
        { finishMs: 100, leaseMs: 60_000, ...config },
      );
      workers.push(worker);
      return worker;
    },
    async run(version, more = {}) {
      const accepted = await executions.accept({
        kind: 'workflow',
        workflowId: `wf_${version}`,
        versionId: version,
        ownerId: OWNER,
        triggerType: 'api',
        input: {},
        ...more,
      });
      if (accepted.outcome === 'conflict') throw new Error('the key was used for something else');
      return accepted.id;
    },
    row,
    until: (id, status) =>
      waitFor(`${id} to be ${status}`, async () => {
        const found = await row(id);
        return found.status === status && found;
      }),
    stopAll,
    async clear() {
      await stopAll();
      begun.length = 0;
      tasks.clear();
      for (const table of [
        'executions',
        'executionProgress',
        'executionSteps',
        'executionTimers',
        'executionWaits',
        'executionEvents',
        'executionSignals',
      ] as const)
        await database.deleteFrom(table).execute();
    },
  };
}
