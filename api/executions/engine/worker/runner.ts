import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { failureType, NO_TRACING, type Span, type Tracing, traceFields } from '#schemas/tracing/tracing.ts';
import type { JsonValue } from '../../json-value.ts';
import { readPayload } from '../../payloads/keep-payload.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import { orphansOf } from '../../store/cancel.ts';
import type { ExecutionWrite } from '../../store/execution-write.ts';
import type { PendingSignal } from '../../store/signals.ts';
import { type WorkerTaskQueue, workerOutcome } from '../../worker-tasks/queue.ts';
import { MAX_CAUSATION } from '../causation.ts';
import type { Interpreter, RunContext, WorkflowDefinition } from '../contract/port.ts';
import type { RunTask } from '../contract/task-context.ts';
import { engineError, workflowErrorOf } from '../contract/task-failure.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
import { createDryRun, DRY_RUN, type DryRun, dryRunDefinition } from '../run/dry-run.ts';
import { createRepetition, NO_REPETITION, type Repetition } from '../run/repetition.ts';
import { createRun } from '../run/run.ts';
import type { Run, RunEnd } from '../run/run-port.ts';
import { startRun, traceTask } from '../run/run-trace.ts';
import { failedWrite } from '../writes/change.ts';
import type { Writer } from '../writes/writer.ts';
import { type RunAgent, runAgentExecution } from './agent-run.ts';
import { type Children, detachedOutput } from './children.ts';
import { type DefinitionOf, rememberDefinitions } from './definition-cache.ts';
import type { ExecutionLease } from './leased-executions.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { isResumed, openPartsOf, type Prepared, readOpenParts } from './open-parts.ts';
import { patientInterpreter } from './patient-interpreter.ts';

export interface Runner {
  prepare(leases: readonly ExecutionLease[]): Promise<Prepared>;
  /** Never rejects. */
  run(lease: ExecutionLease, prepared: Promise<Prepared>): Promise<RunEnd>;
  deliver(id: string, signals: readonly PendingSignal[]): void;
  /** Suspends the run of this execution if it is on this worker. */
  suspend(id: string): void;
  /** True if the run of this lease may have left running children. */
  hadChildren(lease: ExecutionLease): boolean;
  orphansOf(id: string): Promise<string[]>;
}

export interface RunnerDeps {
  readonly database: Database;
  readonly interpreter: Interpreter;
  readonly definitions: DefinitionOf;
  readonly runTask: RunTask;
  /** Called for each execution whose run on this worker is over: it waits, has ended or continues on another worker. */
  readonly endRun?: ((executionId: string) => void) | undefined;
  readonly agents?: RunAgent | undefined;
  readonly payloads?: PayloadStore | undefined;
  readonly memoryBudget?: MemoryBudget | undefined;
  readonly logger: WorkerLogger;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
  readonly writer: Writer;
  readonly children: Children;
  readonly workerTasks: Pick<WorkerTaskQueue, 'start' | 'cancel'>;
}

/**
 * Creates the runner: it builds a run of a claimed execution from definition, input and waits, and advances it until it
 * waits. Long: its functions share the runs, the parents and the cached definitions.
 */
export function createRunner(deps: RunnerDeps): Runner {
  const { database, logger, payloads, writer, children, workerTasks, tracing = NO_TRACING } = deps;
  const interpreter = patientInterpreter(deps.interpreter);
  const runs = new Map<string, Run>();
  const parents = new WeakSet<ExecutionLease>();
  const definitionOf = rememberDefinitions(deps.definitions);

  const reject = (lease: ExecutionLease, error: WorkflowError) =>
    endBy(writer, lease, { ...failedWrite(lease, error), status: 'rejected' });

  async function runWorkflow(lease: ExecutionLease, prepared: Promise<Prepared>, span: Span): Promise<RunEnd> {
    const { row: execution } = lease;
    const definition = dryRunDefinition(execution) ?? (await definitionOf(execution.versionId ?? ''));
    if (definition === undefined)
      return reject(lease, engineError('No definition', 'the version of the workflow does not exist'));
    const open = isResumed(execution) ? openPartsOf(lease, await prepared) : undefined;
    const input = await readPayload(payloads, execution.triggerInput, execution.triggerInputFile);
    const state = await readPayload(payloads, execution.state, execution.stateFile);
    const context = contextOf(lease, definition, input);
    const { dryRun, repetition } = await repetitionOf({ database, payloads }, execution);
    const run = createRun({
      lease,
      interpreter,
      definition,
      context,
      state,
      timers: open?.timers ?? [],
      waits: open?.waits ?? [],
      signals: open?.signals ?? [],
      async runTask(command, signal) {
        const { task, step, attempt, idempotencyKey } = command;
        const recorded = repetition.outcomeOf(step, attempt);
        if (recorded !== undefined) return recorded();
        if (task.kind === 'workflow') return detachedOutput(await children.start(lease, command));
        if (task.kind === 'worker') throw new Error('a worker task cannot run in the engine');
        const { ownerId, requestId, workflowId, causation } = execution;
        const { secretNames } = context;
        const given = {
          signal,
          idempotencyKey,
          executionId: lease.id,
          workflowId: workflowId ?? '',
          ownerId,
          step,
          attempt,
          requestId,
          causation,
          secretNames,
        };
        return traceTask(tracing, span, { task, step, attempt }, (trace) => deps.runTask(task, { ...given, trace }));
      },
      isRecorded: ({ step, attempt }) => repetition.outcomeOf(step, attempt) !== undefined,
      async startChild(command) {
        if (command.task.kind === 'worker') return workerTasks.start(lease, command);
        parents.add(lease);
        await children.start(lease, command);
      },
      childResult: async (signal) => workerOutcome(signal) ?? children.result(signal),
      cancelChild(step, attempt) {
        const cancels = [children.cancel(lease, step, attempt), workerTasks.cancel(lease.id, step, attempt)];
        Promise.all(cancels).catch((error: unknown) => {
          logger.warn(
            { execution: lease.id, err: error },
            'cannot cancel the child of a step; it ends with its parent',
          );
        });
      },
      firesAtOnce: repetition.firesAtOnce,
      eventsTaken: repetition.eventsTaken,
      dryRun,
      writer,
      payloads,
      memoryBudget: deps.memoryBudget,
    });
    if (open !== undefined) parents.add(lease);
    runs.set(lease.id, run);
    try {
      return await run.drive();
    } finally {
      if (runs.get(lease.id) === run) {
        runs.delete(lease.id);
        deps.endRun?.(lease.id);
      }
    }
  }

  async function runAgent(
    lease: ExecutionLease,
    prepared: Promise<Prepared>,
    { context: trace }: Span,
  ): Promise<RunEnd> {
    const { row: execution } = lease;
    if (deps.agents === undefined) throw new Error('this worker runs no agents');
    const input = await readPayload(payloads, execution.triggerInput, execution.triggerInputFile);
    const open = isResumed(execution) ? openPartsOf(lease, await prepared) : undefined;
    const resumption = open && {
      waits: open.waits,
      timers: open.timers.map(({ timer }) => timer),
      signals: open.signals.map(({ id }) => id),
    };
    return runAgentExecution({ lease, input, runAgent: deps.agents, resumption, writer, payloads, trace });
  }

  return {
    prepare: (leases) => readOpenParts(database, leases),
    async run(lease, prepared) {
      const span = startRun(tracing, lease);
      try {
        if (lease.row.causation > MAX_CAUSATION && lease.row.triggerType !== DRY_RUN)
          return await reject(lease, causalLoop());
        if (lease.row.ownerId !== null && (await prepared).notAllowed.has(lease.id)) {
          if (!isResumed(lease.row)) return await reject(lease, notAllowed());
          parents.add(lease);
          return await endBy(writer, lease, failedWrite(lease, accountClosed()));
        }
        const end = await (lease.row.kind === 'agent'
          ? runAgent(lease, prepared, span)
          : runWorkflow(lease, prepared, span));
        span.set({ 'trapline.execution.end': end });
        return end;
      } catch (error) {
        if (lease.abort.signal.aborted) return 'left';
        logger.error({ execution: lease.id, err: error, ...traceFields(span.context) }, 'cannot continue execution');
        span.fail(failureType(error));
        return giveUp(lease, error);
      } finally {
        span.end();
      }
    },
    deliver: (id, signals) => runs.get(id)?.deliver(signals),
    suspend: (id) => runs.get(id)?.suspend(),
    hadChildren: (lease) => parents.has(lease),
    orphansOf: (id) => orphansOf(database, [id]),
  };

  /**
   * Handles an unexpected error. If the database is unavailable, the lease expires and a worker retries. Any other
   * error would recur, so the execution fails.
   */
  async function giveUp(lease: ExecutionLease, error: unknown): Promise<RunEnd> {
    if (isDatabaseUnavailable(error)) return 'left';
    const { detail = '' } = workflowErrorOf(error);
    try {
      return await endBy(writer, lease, failedWrite(lease, engineError('Engine failure', detail)));
    } catch {
      return 'left';
    }
  }
}

/** Returns the recorded results that a replay or dry run uses. */
async function repetitionOf(
  deps: Pick<RunnerDeps, 'database' | 'payloads'>,
  execution: ExecutionLease['row'],
): Promise<{ readonly repetition: Repetition; readonly dryRun?: DryRun }> {
  const { database, payloads } = deps;
  const { sourceExecutionId, replayFrom } = execution;
  if (sourceExecutionId === null) return { repetition: NO_REPETITION };
  if (dryRunDefinition(execution) !== undefined) {
    const dryRun = await createDryRun({ database, payloads }, sourceExecutionId);
    return { repetition: dryRun, dryRun };
  }
  if (replayFrom === null) return { repetition: NO_REPETITION };
  return { repetition: await createRepetition({ database, payloads }, { sourceExecutionId, replayFrom }) };
}

function notAllowed(): WorkflowError {
  return engineError(
    'Not allowed',
    'the owner of this execution may no longer run it: the account or the permission was revoked while it was queued',
  );
}

function accountClosed(): WorkflowError {
  return engineError(
    'Not allowed',
    'the account of the owner of this execution was disabled or has ended, so the execution does not continue',
  );
}

/** Writes the end of an execution that does not begin or continue. */
async function endBy(writer: Writer, lease: ExecutionLease, write: ExecutionWrite): Promise<RunEnd> {
  return (await writer.write({ lease, take: async () => write })) === undefined ? 'left' : 'ended';
}

function causalLoop(): WorkflowError {
  return engineError(
    'Causal loop',
    `the causal chain has more than ${MAX_CAUSATION} executions, started by events, tools of agents or calls of this service: a workflow that starts itself would never end`,
  );
}

function contextOf(lease: ExecutionLease, definition: WorkflowDefinition, input: JsonValue): RunContext {
  const { row: execution, id } = lease;
  const document = (definition.document ?? {}) as Readonly<Record<string, JsonValue>>;
  const use = (definition.use ?? {}) as Readonly<Record<string, JsonValue>>;
  return {
    executionId: id,
    ownerId: execution.ownerId,
    workflow: {
      id: execution.workflowId ?? '',
      name: String(document.name ?? ''),
      version: String(document.version ?? ''),
    },
    input,
    startedAt: execution.startedAt.toISOString(),
    overrides: (execution.overrides ?? {}) as Readonly<Record<string, JsonValue>>,
    secretNames: Array.isArray(use.secrets) ? use.secrets.map(String) : [],
    owner: execution.ownerId ?? undefined,
  };
}
