import { createHash } from 'node:crypto';
import { exceededQuota } from '#api/accounts/tables/quotas.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import { storedTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { failureType, NO_TRACING, type Span, type Tracing } from '#schemas/tracing/tracing.ts';
import type { JsonValue } from '../json-value.ts';
import { acceptGathered } from '../limits/accept-gathered.ts';
import type { AdmissionTarget } from '../limits/admissions.ts';
import type { FindStartLimits, Gather, StartLimits, VersionLimits } from '../limits/start-limits.ts';
import { keepPayload } from '../payloads/keep-payload.ts';
import type { PayloadStore } from '../payloads/port.ts';
import { type ExecutionRow, findAccepted, type IdempotencyMark, insertExecution } from '../store/accept.ts';
import { type CancelledExecution, cancelExecution, settleCancelled } from '../store/cancel.ts';
import { OPERATOR_LANE } from '../store/queue-position.ts';
import { insertSignal, type SignalOutcome } from '../store/replies.ts';
import { insertEvent } from '../store/signals.ts';
import { MAX_CAUSATION } from './causation.ts';
import type { CloudEvent } from './contract/cloud-event.ts';
import { newExecutionId } from './execution-id.ts';
import { createFollowUps, ENDED, PENDING, SIGNALLED } from './follow-ups.ts';
import { DRY_RUN } from './run/dry-run.ts';
import { createSuspension, type Suspension } from './suspension.ts';
import { isTerminal } from './transitions.ts';

/** A request to start an execution. */
export interface NewExecution
  extends Omit<ExecutionRow, 'id' | 'input' | 'overrides' | 'metadata' | 'limits' | 'ignoresPause' | 'trace'> {
  /** Set if something must already refer to the execution; see `newExecutionId`. */
  readonly id?: string;
  readonly input?: JsonValue;
  /** Outputs that replace the outputs of steps, by name. */
  readonly overrides?: Readonly<Record<string, JsonValue>> | null;
  readonly metadata?: JsonValue;
  /** True if the start may merge into a waiting execution, when its workflow debounces or batches starts. */
  readonly mergeable?: boolean;
  /** True if the input is a list of events. A batch then takes the elements instead of the list. */
  readonly inputIsList?: boolean;
  /** Trace of the request. If undefined, the execution starts a new trace. */
  readonly trace?: TraceContext | undefined;
  /** Scoped to the caller. Within 24 h, the same key with the same `body` returns the same execution. */
  readonly idempotency?: { readonly caller: string; readonly key: string; readonly body: JsonValue };
}

export type Accepted =
  /**
   * `repeated`: already accepted with the same key, cause or step of a parent. `merged`: added to a waiting execution.
   */
  | { readonly outcome: 'accepted' | 'repeated' | 'merged'; readonly id: string }
  /** The idempotency key was used with a different body. */
  | { readonly outcome: 'conflict' };

export interface CancelAnswer {
  readonly executionId: string;
  readonly status: 'cancelled' | 'cancellation-requested' | 'already-terminal';
  readonly wasStatus: ExecutionStatus;
}

/** Accepts executions and sends events to them. It needs no worker in this process. */
export interface Executions extends Suspension {
  /**
   * Accepts an execution. When this resolves, the execution is durable and will run even if any process dies. `within`
   * runs in the same transaction. Rejects with `PayloadTooLarge`, or if a quota of the owner is exhausted
   * (`exceededQuota`).
   */
  accept(execution: NewExecution, within?: (transaction: Db, id: string) => Promise<void>): Promise<Accepted>;
  /**
   * Cancels an execution and the children that it waits for; see `cancelExecution`. Resolves to undefined if the
   * execution does not exist.
   */
  cancel(id: string): Promise<CancelAnswer | undefined>;
  /**
   * Delivers an event to the executions that wait for it. Executions that were accepted before the event receive it if
   * they start to wait within a day. `ownerId`: only executions of this owner; null: of the operator; undefined: all
   * executions. `causation`: length of the causal chain behind the event. Resolves to false for a duplicate: the same
   * source has already sent this id.
   */
  publish(event: CloudEvent, ownerId?: string | null, causation?: number): Promise<boolean>;
  /** Delivers an event to one execution; see `insertSignal`. Rejects if the event quota of its owner is exhausted. */
  signal(executionId: string, event: CloudEvent, causation?: number): Promise<SignalOutcome>;
  /** Delivers events that a committed transaction has inserted; see `insertEvent`. */
  deliverEvents(): Promise<void>;
  /** Admits waiting starts of a workflow within its limits. Does nothing while the workflow is paused. */
  admitStarts(target: AdmissionTarget): Promise<void>;
}

export interface ExecutionsDeps {
  readonly database: Database;
  readonly logger: WorkerLogger;
  readonly wakeUp: WakeUp;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
  /** If undefined, values too large for a row are rejected. */
  readonly payloads?: PayloadStore | undefined;
  /** Undefined: starts have no limits. */
  readonly startLimits?: FindStartLimits | undefined;
  readonly versionLimits?: VersionLimits | undefined;
}

/** Long: its functions share the stores and the follow-ups. */
export function createExecutions({
  database,
  logger,
  wakeUp,
  payloads,
  startLimits,
  versionLimits,
  tracing = NO_TRACING,
}: ExecutionsDeps): Executions {
  const followUps = createFollowUps({ database, logger, wakeUp, versionLimits });

  async function settle(cancelled: readonly CancelledExecution[]): Promise<void> {
    const held = cancelled.filter(({ status }) => status === 'running' || status === 'finalizing');
    wakeUp(...held.map(({ id }) => `${SIGNALLED}${id}`));
    const ended: { id: string; concurrencyKey: string | null; limited: boolean }[] = cancelled.filter(
      ({ was, status }) => was !== status,
    );
    if (cancelled.some(({ status }) => status === 'waiting'))
      ended.push(...(await settleCancelled(database, { worker: '', ids: [] })));
    wakeUp(...ended.map(({ id }) => `${ENDED}${id}`));
    if (ended.length > 0) await followUps.notifyParents();
    await followUps.admitNext(ended);
  }

  /** Wakes the workers for a committed execution, or admits the next start of its queue. */
  async function begin({ limits, concurrencyKey, workflowId }: ExecutionRow): Promise<void> {
    if (limits !== undefined && workflowId != null) {
      const { slotKey, rateKey } = limits;
      await followUps.admitStarts({ workflowId, slotKey, rateKey });
    } else if (concurrencyKey == null) wakeUp(PENDING);
    else await followUps.admit(concurrencyKey);
  }

  return {
    ...createSuspension({ database, wakeUp, followUps }),
    async accept(execution, within) {
      const {
        id = newExecutionId(),
        input,
        overrides,
        metadata,
        idempotency,
        mergeable,
        inputIsList,
        trace,
        ...rest
      } = execution;
      const limits = await startLimits?.(execution);
      // An execution that will be rejected must not merge with other starts.
      const gathered = mergeable && (rest.causation ?? 0) <= MAX_CAUSATION ? limits?.gather : undefined;
      const listed = gathered?.kind === 'batch' && !inputIsList ? [input ?? {}] : input;
      const span = startAcceptance(tracing, trace, { ...rest, id });
      const row: ExecutionRow = {
        ...rest,
        id,
        input: await keepPayload(payloads, `${id}/input`, 'the input', listed),
        overrides: overrides == null ? null : JSON.stringify(overrides),
        metadata: metadata === undefined ? null : JSON.stringify(metadata),
        priority: rest.priority ?? limits?.priority ?? 0,
        limits: limitsThatWait(limits, gathered),
        ignoresPause: rest.triggerType === DRY_RUN,
        trace: storedTrace(span.context),
      };
      const mark = idempotency === undefined ? undefined : markOf(idempotency);
      const insert = async (): Promise<Inserted | undefined> => {
        if (gathered !== undefined) return acceptGathered(database, { row, mark, gather: gathered }, within);
        if (within === undefined) return insertedAs(await insertExecution(database, row, mark));
        return inTransaction(database, async (transaction) => {
          const taken = await insertExecution(transaction, row, mark);
          if (taken !== undefined) await within(transaction, id);
          return insertedAs(taken);
        });
      };
      const inserted = await insert().catch(async (error: unknown) => {
        span.fail(failureType(error));
        span.end();
        if (row.input.file !== null && exceededQuota(error) !== undefined) await payloads?.delete([row.input.file]);
        throw error;
      });
      span.end();
      if (inserted !== undefined) {
        if (inserted.unusedFile !== null) await payloads?.delete([inserted.unusedFile]);
        await begin(row);
        return { outcome: inserted.outcome, id: inserted.id };
      }
      if (row.input.file !== null) await payloads?.delete([row.input.file]);
      const before = await findAccepted(database, row, mark);
      if (before === undefined) throw new Error(`an execution ${id} already exists`);
      return before.sameBody ? { outcome: 'repeated', id: before.id } : { outcome: 'conflict' };
    },

    async cancel(id) {
      const cancelled = await cancelExecution(database, id);
      const asked = cancelled[0];
      if (asked === undefined) return undefined;
      await settle(cancelled);
      const { was, status } = asked;
      return {
        executionId: id,
        status: isTerminal(was) ? 'already-terminal' : isTerminal(status) ? 'cancelled' : 'cancellation-requested',
        wasStatus: was,
      };
    },

    async publish(event, ownerId, causation) {
      const lane = ownerId === undefined ? null : (ownerId ?? OPERATOR_LANE);
      const fresh = await insertEvent(database, event, lane, { causation, enforced: true });
      if (fresh) await followUps.route();
      return fresh;
    },

    async signal(executionId, event, causation) {
      const outcome = await insertSignal(database, executionId, event, causation);
      if (outcome === 'accepted') await followUps.route();
      return outcome;
    },

    deliverEvents: () => followUps.route(),
    admitStarts: (target) => followUps.admitStarts(target),
  };
}

/** Result of an insert. `unusedFile`: a payload file that no row refers to any more. */
interface Inserted {
  readonly outcome: 'accepted' | 'merged';
  readonly id: string;
  readonly unusedFile: string | null;
}

function insertedAs(id: string | undefined): Inserted | undefined {
  return id === undefined ? undefined : { outcome: 'accepted', id, unusedFile: null };
}

/**
 * Returns the limits for which a start must wait. A priority alone is no such limit, nor is a gather setting if the
 * start is not merged.
 */
function limitsThatWait(limits: StartLimits | undefined, gather: Gather | undefined): StartLimits | undefined {
  if (limits === undefined || (limits.slotKey === '' && limits.rateKey === '' && gather === undefined))
    return undefined;
  return { ...limits, gather };
}

/** Stores only a hash of the body. */
function markOf({ caller, key, body }: { caller: string; key: string; body: JsonValue }): IdempotencyMark {
  return { caller, key, bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex') };
}

/** Starts the span that all runs of the execution continue, in any process and after any restart. */
function startAcceptance(
  tracing: Tracing,
  parent: TraceContext | undefined,
  { id, kind, triggerType, workflowId, agentId }: Omit<NewExecution, 'id' | 'trace'> & { readonly id: string },
): Span {
  const span = tracing.start('start execution', { kind: 'producer', parent });
  if (span.isRecorded)
    span.set({
      'trapline.execution.id': id,
      'trapline.execution.kind': kind,
      'trapline.execution.trigger': triggerType,
      'trapline.workflow.id': workflowId ?? undefined,
      'gen_ai.agent.id': agentId ?? undefined,
    });
  return span;
}
