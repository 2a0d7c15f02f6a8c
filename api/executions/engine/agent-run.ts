import type { JsonValue } from '../json-value.ts';
import type { PayloadStore } from '../payloads/port.ts';
import { emptyChange, noteStep, renderChange } from './change.ts';
import type { ExecutionLease } from './leased-executions.ts';
import type { StepRecord, WorkflowError } from './port.ts';
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
  /** How many executions stand behind this one. */
  readonly causation: number;
  /** Aborts when the execution is cancelled, the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Adds to the trace; written soon. */
  readonly record: (step: StepRecord) => void;
  /** The work is done and what it made is being kept: the status becomes `finalizing`. False when the run is not ours any more. */
  readonly finalizing: () => Promise<boolean>;
}

/** What it resolves to is the result. A rejection fails the execution; with a `TaskFailure` it says how. */
export type RunAgent = (context: AgentRunContext) => Promise<JsonValue>;

/** The execution of an agent is one long step: a worker that reclaims it starts the step again. */
export async function runAgentExecution({
  lease,
  input,
  runAgent,
  writer,
  payloads,
}: {
  readonly lease: ExecutionLease;
  readonly input: JsonValue;
  readonly runAgent: RunAgent;
  readonly writer: Writer;
  readonly payloads: PayloadStore | undefined;
}): Promise<RunEnd> {
  const { row: execution, abort } = lease;
  let change = emptyChange();
  let status: 'running' | 'finalizing' | 'completed' | 'failed' = 'running';
  let outcome: { result?: JsonValue; error?: WorkflowError } = {};
  const source: WriteSource = {
    lease,
    take() {
      const taken = change;
      change = emptyChange();
      return renderChange(lease, taken, { status, state: undefined, ...outcome }, payloads);
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
    outcome = { result };
    status = 'completed';
  } catch (error) {
    if (abort.signal.aborted) return 'left';
    outcome = { error: workflowErrorOf(error) };
    status = 'failed';
  }
  if (abort.signal.aborted) return 'left';
  return (await writer.write(source)) === undefined ? 'left' : 'ended';
}
