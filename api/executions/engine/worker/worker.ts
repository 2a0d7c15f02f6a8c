import {
  type LeaseEngine,
  type LeaseWorker,
  type LeaseWorkerConfig,
  type LeaseWorkerDeps,
  startLeaseWorker,
} from '#api/leases/lease-worker.ts';
import type { LeasedWork, WorkEnd } from '#api/leases/port.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { FindStartLimits, VersionLimits } from '../../limits/start-limits.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import type { ClaimedExecution } from '../../store/claim.ts';
import type { StepWrite } from '../../store/execution-write.ts';
import { pendingSignals } from '../../store/signals.ts';
import { createWorkerTaskQueue } from '../../worker-tasks/queue.ts';
import type { Interpreter } from '../contract/port.ts';
import type { RunTask } from '../contract/task-context.ts';
import { createExecutions } from '../executions.ts';
import { createFollowUps, PENDING, REPLIED, SIGNALLED } from '../follow-ups.ts';
import { TASK_KINDS } from '../kind-registry.ts';
import { createWriter } from '../writes/writer.ts';
import type { RunAgent } from './agent-run.ts';
import { createChildren, type ResolveWorkflow } from './children.ts';
import type { DefinitionOf } from './definition-cache.ts';
import { createEndings } from './endings.ts';
import { type ExecutionLease, leasedExecutions } from './leased-executions.ts';
import { createMaintenance } from './maintenance.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { createRunner } from './runner.ts';

export interface ExecutionWorkerDeps extends LeaseWorkerDeps {
  readonly interpreter: Interpreter;
  readonly definitions: DefinitionOf;
  /** Runs tasks with external effects. The worker itself runs sub-workflows. */
  readonly runTask: RunTask;
  /** See `RunnerDeps`. */
  readonly endRun?: ((executionId: string) => void) | undefined;
  /** If undefined, sub-workflows fail. */
  readonly resolveWorkflow?: ResolveWorkflow | undefined;
  /** Limits of sub-workflow starts. If undefined, they have no limits. */
  readonly startLimits?: FindStartLimits | undefined;
  /** Shared with `createExecutions`, so limits are read only once. */
  readonly versionLimits?: VersionLimits | undefined;
  /** If undefined, this worker claims no executions of agents. */
  readonly agents?: RunAgent | undefined;
  readonly payloads?: PayloadStore | undefined;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
  /** If undefined, the memory of executions in progress is not bounded. */
  readonly memoryBudget?: MemoryBudget | undefined;
  /** Receives every status that this worker writes. */
  readonly onTransition?: (change: Transition) => void;
  /** Receives the duration in seconds of every finished step with external effects. */
  readonly onStepEnded?: (seconds: number) => void;
}

export interface Transition {
  readonly executionId: string;
  readonly kind: ClaimedExecution['kind'];
  readonly status: ExecutionStatus;
  /** Set for the first run of an execution: ms since it became pending. */
  readonly queuedMs?: number;
}

export interface ExecutionWorkerConfig extends LeaseWorkerConfig {
  /** Maximum number of leased executions. Waiting executions are not leased. Default 100. */
  readonly places?: number;
  /** The share of `places` that one owner may use while slots are scarce. Default 0.75. */
  readonly ownerShare?: number;
  /** Number of workers that may die while they run an execution alone. The execution then fails. Default 3. */
  readonly maxCrashes?: number;
}

export type ExecutionWorker = LeaseWorker;

/**
 * Leases executions and advances them until they wait. NOTIFY wakes it, and it polls once per second. It renews all
 * leases in one statement, and writes the changes of many executions in one.
 */
export function createExecutionWorker(deps: ExecutionWorkerDeps, config: ExecutionWorkerConfig = {}): ExecutionWorker {
  return startLeaseWorker<ClaimedExecution>(deps, config, {
    name: 'executions',
    createWork: (engine) => executionWork(deps, config, engine),
  });
}

function executionWork(
  deps: ExecutionWorkerDeps,
  { places = 100, ownerShare = 0.75, maxCrashes = 3 }: ExecutionWorkerConfig,
  engine: LeaseEngine<ClaimedExecution>,
): LeasedWork<ClaimedExecution> {
  const { database, logger, payloads, resolveWorkflow, startLimits, versionLimits, onTransition, onStepEnded } = deps;
  const { attempt, wakeUp } = engine;
  const claim = () => {
    leased.queueChanged();
    engine.claim();
  };
  const kinds: ClaimedExecution['kind'][] = deps.agents === undefined ? ['workflow'] : ['workflow', 'agent'];
  const followUps = createFollowUps({ database, logger, wakeUp, versionLimits });
  const executions = createExecutions({ database, logger, wakeUp, payloads, versionLimits });
  const cancel = (id: string) => executions.cancel(id);
  const onCancelled = ({ id, kind }: Pick<ClaimedExecution, 'id' | 'kind'>) =>
    onTransition?.({ executionId: id, kind, status: 'cancelled' });
  const endings = createEndings({ database, followUps, cancel, onCancelled }, engine);
  const writer = createWriter(
    { database, logger },
    {
      onWritten(written) {
        for (const { write, at } of written) {
          const kind = engine.leaseOf(at.id)?.row.kind;
          if (at.status !== 'running' && kind !== undefined)
            onTransition?.({ executionId: at.id, kind, status: at.status });
          if (onStepEnded !== undefined) for (const seconds of stepSeconds(write.steps)) onStepEnded(seconds);
          if (write.events.length > 0 || at.suspended === true) void followUps.route();
          if (write.events.some(({ repliesTo }) => repliesTo !== null)) wakeUp(`${REPLIED}${at.id}`);
          if (write.waits.length > 0) void followUps.search();
          if (at.status === 'waiting') for (const { fireAt } of write.timers) engine.pollAt(Date.parse(fireAt) + 2);
          if (at.status === 'pending') claim();
        }
      },
    },
  );
  const { admitStarts } = followUps;
  const children = createChildren({
    database,
    wakeUp,
    payloads,
    resolveWorkflow,
    startLimits,
    admitStarts,
    afterCancel: cancel,
  });
  const workerTasks = createWorkerTaskQueue({ database, logger, wakeUp });
  const runner = createRunner({ ...deps, writer, children, workerTasks });

  async function run(lease: ExecutionLease, prepared: ReturnType<typeof runner.prepare>): Promise<WorkEnd> {
    const end = await runner.run(lease, prepared);
    if (end === 'ended') {
      const orphans = runner.hadChildren(lease) ? () => runner.orphansOf(lease.id) : undefined;
      return { written: true, after: () => endings.ended(lease, orphans) };
    }
    // A run that was cancelled before this worker was notified also ends unwritten.
    if (end === 'left') return { written: false, after: () => endings.settleCancelled([lease.id]) };
    return { written: true, due: end === 'ready' };
  }

  async function deliver(ids: readonly string[]): Promise<void> {
    const signals = (await attempt(() => pendingSignals(database, ids))) ?? [];
    for (const id of ids)
      runner.deliver(
        id,
        signals.filter(({ executionId }) => executionId === id),
      );
  }

  const leased = leasedExecutions(
    { database, onSignals: (ids) => void deliver(ids), onSuspending: runner.suspend },
    engine,
    {
      kinds,
      places,
      ownerShare,
    },
  );
  return {
    ...leased,
    begin(leases) {
      for (const { row } of leases) onTransition?.(startOf(row));
      const prepared = runner.prepare(leases);
      return (lease) => run(lease, prepared);
    },
    maintain: createMaintenance(
      { database, logger, followUps, endings, workerTasks },
      { ...engine, claim },
      { kinds, maxCrashes },
    ),
    onNotified(names) {
      if (names === undefined || names.includes(PENDING)) claim();
      const ours = names?.some((name) => name.startsWith(SIGNALLED) && engine.leaseOf(name.slice(SIGNALLED.length)));
      if (names === undefined || ours) engine.renew();
    },
    idle: () => writer.idle(),
  };
}

function startOf({ id, kind, startedAt, queuedAt }: ClaimedExecution): Transition {
  const queuedMs = startedAt.getTime() - queuedAt.getTime();
  const first = queuedMs >= 0 ? { queuedMs } : {}; // a continued execution started before it was queued
  return { executionId: id, kind, status: 'running', ...first };
}

/** Yields the durations of steps with external effects in seconds. Other steps take almost no time. */
function* stepSeconds(steps: readonly StepWrite[]): Generator<number> {
  for (const { kind, ranMs } of steps)
    if (ranMs !== undefined && TASK_KINDS.get(kind)?.work === 'outside') yield ranMs / 1000;
}
