import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { ApprovalPolicy } from '../../approvals/policy.ts';
import type { JsonValue } from '../../json-value.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import type { EventFilter } from '../contract/cloud-event.ts';
import type { StepRecord } from '../contract/port.ts';
import { workflowErrorOf } from '../contract/task-failure.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
import type { RunEnd } from '../run/run-port.ts';
import {
  emptyChange,
  noteSignal,
  noteStep,
  noteTimerEnded,
  noteTimerSet,
  noteWait,
  noteWaitEnded,
  renderChange,
} from '../writes/change.ts';
import type { WriteSource } from '../writes/write-batch.ts';
import type { Writer } from '../writes/writer.ts';
import type { ExecutionLease } from './leased-executions.ts';

/** The part of an execution that the runtime of an agent receives. */
export interface AgentRunContext {
  readonly executionId: string;
  readonly agentId: string;
  readonly ownerId: string | null;
  readonly input: JsonValue;
  readonly metadata: JsonValue | null;
  /** Stays the same when a worker restarts the run after a crash. */
  readonly idempotencyKey: string;
  /** Number of claims so far. Above 1, an earlier worker may already have caused effects. */
  readonly attempt: number;
  readonly startedAt: Date;
  readonly requestId: string | null;
  /** Span of the run in the distributed trace; undefined if it is not recorded. */
  readonly trace: TraceContext | undefined;
  /** Depth of the execution in its causal chain: the number of executions that caused it. */
  readonly causation: number;
  /** Aborts when the execution is cancelled, the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Adds a step to the trace. The write is asynchronous. */
  readonly record: (step: StepRecord) => void;
  /**
   * Sets the status `finalizing`: the work is done and its results are being saved. Resolves to false if this worker
   * has lost the lease.
   */
  readonly finalizing: () => Promise<boolean>;
}

/** Suspends the run until people have decided, or until `until`. The run then restarts. */
export class AgentWait {
  readonly wait: string;
  /** What the wait is for, as shown in the audit log. */
  readonly step: string;
  readonly filter: EventFilter;
  readonly approval: ApprovalPolicy;
  readonly until: Date;

  constructor({ wait, step, filter, approval, until }: Omit<AgentWait, never>) {
    this.wait = wait;
    this.step = step;
    this.filter = filter;
    this.approval = approval;
    this.until = until;
  }
}

/**
 * Resolves to the result, or to what the run waits for. A rejection fails the execution. A `TaskFailure` gives the
 * error.
 */
export type RunAgent = (context: AgentRunContext) => Promise<JsonValue | AgentWait>;

/** State of a run that was suspended by an `AgentWait`. */
export interface AgentResumption {
  readonly waits: readonly string[];
  readonly timers: readonly string[];
  readonly signals: readonly number[];
}

/** Stored state of an agent execution that was suspended. It distinguishes a resumed run from a new one. */
const HAS_WAITED = { waited: true } as const;

/**
 * Runs an agent execution as one long step. A worker that reclaims the execution, or resumes it after a wait, starts
 * the step again.
 */
export async function runAgentExecution({
  lease,
  input,
  runAgent,
  resumption,
  writer,
  payloads,
  trace,
}: {
  readonly lease: ExecutionLease;
  readonly input: JsonValue;
  readonly runAgent: RunAgent;
  /** Undefined for the first start of the run. */
  readonly resumption: AgentResumption | undefined;
  readonly writer: Writer;
  readonly payloads: PayloadStore | undefined;
  readonly trace: TraceContext | undefined;
}): Promise<RunEnd> {
  const { row: execution, abort } = lease;
  let change = emptyChange();
  let state: JsonValue | undefined = execution.state ?? undefined;
  for (const signal of resumption?.signals ?? []) noteSignal(change, signal, true);
  for (const wait of resumption?.waits ?? []) noteWaitEnded(change, wait);
  for (const timer of resumption?.timers ?? []) noteTimerEnded(change, timer);
  let status: 'running' | 'finalizing' | 'waiting' | 'completed' | 'failed' = 'running';
  let outcome: { result?: JsonValue; error?: WorkflowError } = {};
  const source: WriteSource = {
    lease,
    take() {
      const taken = change;
      change = emptyChange(taken);
      return renderChange(lease, taken, { status, state, ...outcome }, payloads);
    },
  };
  try {
    const result = await runAgent({
      executionId: execution.id,
      agentId: execution.agentId ?? '',
      ownerId: execution.ownerId,
      input,
      metadata: execution.metadata,
      idempotencyKey: execution.id,
      attempt: execution.epoch,
      startedAt: execution.startedAt,
      requestId: execution.requestId,
      trace,
      causation: execution.causation,
      signal: abort.signal,
      record(step) {
        noteStep(change, step);
        writer.writeSoon(source);
      },
      async finalizing() {
        status = 'finalizing';
        return (await writer.write(source))?.status === 'finalizing';
      },
    });
    if (result instanceof AgentWait) {
      noteAgentWait(result);
      state = HAS_WAITED;
      status = 'waiting';
    } else {
      outcome = { result };
      status = 'completed';
    }
  } catch (error) {
    if (abort.signal.aborted) return 'left';
    outcome = { error: workflowErrorOf(error) };
    status = 'failed';
  }
  if (abort.signal.aborted) return 'left';
  const written = await writer.write(source);
  if (written === undefined) return 'left';
  return written.status === 'waiting' ? 'parked' : written.status === 'pending' ? 'ready' : 'ended';

  function noteAgentWait({ wait, step, filter, approval, until }: AgentWait): void {
    noteWait(change, wait, { step, mode: 'one', filters: [filter], approval });
    noteTimerSet(change, wait, until.toISOString());
  }
}
