import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';
import type { JsonValue } from '../json-value.ts';
import type { PayloadStore } from '../payloads/port.ts';
import {
  emptyChange,
  noteStep,
  noteTimerEnded,
  noteTimerSet,
  noteWait,
  noteWaitEnded,
  renderChange,
} from './change.ts';
import type { ExecutionLease } from './leased-executions.ts';
import type { EventFilter, StepRecord, WorkflowError } from './port.ts';
import type { RunEnd } from './run-port.ts';
import { workflowErrorOf } from './task-failure.ts';
import type { WriteSource } from './write-batch.ts';
import type { Writer } from './writer.ts';

/** What the runtime of an agent receives of its execution. */
export interface AgentRunContext {
  readonly executionId: string;
  readonly agentId: string;
  readonly ownerId: string | null;
  readonly input: JsonValue;
  readonly metadata: JsonValue | null;
  /** The same whenever the run is begun again after a crash. */
  readonly idempotencyKey: string;
  /** How many times it was claimed: above 1, a worker before may have done something already. */
  readonly attempt: number;
  readonly startedAt: Date;
  readonly requestId: string | null;
  /** Its span in the trace; undefined when that is not recorded. */
  readonly trace: TraceContext | undefined;
  /** How many executions stand behind this one. */
  readonly causation: number;
  /** Aborts when the execution is cancelled, the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Adds to the trace; written soon. */
  readonly record: (step: StepRecord) => void;
  /** The work is done and what it made is being kept: the status becomes `finalizing`. False when the run is not ours any more. */
  readonly finalizing: () => Promise<boolean>;
}

/** The run waits until people have decided, or until a time. Then it is begun again. */
export class AgentWait {
  readonly wait: string;
  /** What the wait is for, as the audit log names it. */
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

/** What it resolves to is the result, or what the run waits for. A rejection fails the execution; with a `TaskFailure` it says how. */
export type RunAgent = (context: AgentRunContext) => Promise<JsonValue | AgentWait>;

/** What was set when the run waited. */
export interface AgentResumption {
  readonly waits: readonly string[];
  readonly timers: readonly string[];
  readonly signals: readonly number[];
}

/** The state of an execution of an agent that has waited: it is not one that begins. */
const HAS_WAITED = { waited: true } as const;

/** The execution of an agent is one long step: a worker that reclaims it starts the step again, as does one that continues it after a wait. */
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
  /** undefined: the run begins. */
  readonly resumption: AgentResumption | undefined;
  readonly writer: Writer;
  readonly payloads: PayloadStore | undefined;
  readonly trace: TraceContext | undefined;
}): Promise<RunEnd> {
  const { row: execution, abort } = lease;
  let change = emptyChange();
  let state: JsonValue | undefined = execution.state ?? undefined;
  for (const signal of resumption?.signals ?? []) change.signals.set(signal, true);
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
