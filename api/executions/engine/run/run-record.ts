import { boundJson, measureJson } from '../../json-size.ts';
import type { JsonValue } from '../../json-value.ts';
import type { ExecutionWrite } from '../../store/execution-write.ts';
import type { Advance } from '../contract/port.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
import { type Change, emptyChange, noteStep, renderChange } from '../writes/change.ts';
import type { WriteSource } from '../writes/write-batch.ts';
import { beginDelay, delayOpenSteps } from './delayed-steps.ts';
import type { RunDeps, RunEnd } from './run-port.ts';

/** Limits on unwritten data. Larger writes block the process while they are rendered. */
const MAX_UNWRITTEN_STEPS = 500;
const MAX_UNWRITTEN_BYTES = 8 * 1024 * 1024;
/** Below this size, values and states are estimated instead of measured. */
const SMALL_VALUE_BYTES = 2 * 1024;
const SMALL_STATE_BYTES = 32 * 1024;
/** For measuring only: rejects nothing. */
const NO_LIMITS = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
};

/** Outcome of an ended execution. */
type RunOutcome = { readonly result: JsonValue } | { readonly error: WorkflowError };

/**
 * The row of an execution as the next write stores it. Owned by `createRun`; `applyCommand` records the commands of the
 * interpreter in it.
 */
export interface RunRecord {
  /** State of the interpreter. Undefined before it begins. */
  readonly state: JsonValue | undefined;
  /** Changes since the last write. A write replaces it: read it again after each `await`. */
  readonly change: Change;
  /** Set when the execution has ended. */
  readonly outcome: RunOutcome | undefined;
  /** True if the interpreter waits for a `continue` event, which it receives after a write. */
  continueRequested: boolean;
  /**
   * True if something irrevocable happened since the last `keep`. It must be written before anything that depends on it
   * begins.
   */
  mustKeep: boolean;
  /** Waits until the memory budget has room for the state and the unwritten steps of the run. */
  hold(advance: Advance): Promise<void>;
  /** Records the state and the steps of an advance. */
  note(advance: Advance): void;
  /** Records the outcome of the execution. The first outcome wins. */
  end(outcome: RunOutcome): void;
  /** True if the unwritten data exceeds its limit, so the next write must not be delayed. */
  isLarge(): boolean;
  /** Requests a write in the next batch without waiting for it. */
  writeSoon(): void;
  /**
   * Writes a run that continues. Resolves to false if the run ends on this worker: the lease is lost, or the write was
   * rejected and the execution has failed.
   */
  keep(): Promise<boolean>;
  /** Writes the outcome. */
  finish(): Promise<RunEnd>;
  /** Writes a waiting run. */
  park(): Promise<RunEnd>;
  /** Writes a suspended run, including steps that have not begun. */
  halt(): Promise<RunEnd>;
}

type RunRecordDeps = Pick<RunDeps, 'lease' | 'state' | 'writer' | 'payloads' | 'memoryBudget'>;

export function createRunRecord({ lease, writer, payloads, memoryBudget, ...deps }: RunRecordDeps): RunRecord {
  let state: JsonValue | undefined = deps.state ?? undefined;
  let change = emptyChange();
  let status: ExecutionWrite['status'] = 'running';
  let outcome: RunOutcome | undefined;
  let unwrittenBytes = 0;

  const source: WriteSource = {
    lease,
    take() {
      const taken = change;
      change = emptyChange(taken);
      unwrittenBytes = 0;
      // Delayed steps must be written now if the run leaves this worker.
      const isLeaving = status !== 'running' || lease.abort.signal.aborted;
      const due = isLeaving ? undefined : delayOpenSteps(taken, change, performance.now());
      if (due !== undefined) writer.writeLater(source, due);
      const end = status === 'completed' || status === 'failed' ? outcome : undefined;
      return renderChange(lease, taken, { status, state, ...end }, payloads);
    },
  };

  function writeSoon(): void {
    const due = beginDelay(change, performance.now());
    if (due === undefined) writer.writeSoon(source);
    else writer.writeLater(source, due);
  }

  const record: RunRecord = {
    get state() {
      return state;
    },
    get change() {
      return change;
    },
    get outcome() {
      return outcome;
    },
    continueRequested: false,
    mustKeep: false,
    async hold(advance) {
      if (memoryBudget === undefined) return;
      for (const { input, output } of advance.steps) unwrittenBytes += bytesOf(input) + bytesOf(output);
      const bytes = bytesOf(advance.state, SMALL_STATE_BYTES) + unwrittenBytes;
      await memoryBudget.reserve({ id: lease.id, ownerId: lease.row.ownerId }, bytes, lease.abort.signal);
    },
    note(advance) {
      ({ state } = advance);
      for (const step of advance.steps) noteStep(change, step);
    },
    end(ended) {
      outcome ??= ended;
    },
    isLarge: () => change.steps.size >= MAX_UNWRITTEN_STEPS || unwrittenBytes >= MAX_UNWRITTEN_BYTES,
    writeSoon,
    async keep() {
      const written = await writer.write(source);
      record.mustKeep = false;
      if (written?.status !== 'running') return false;
      if (change.steps.size > 0) writeSoon();
      return true;
    },
    async finish() {
      status = outcome !== undefined && 'error' in outcome ? 'failed' : 'completed';
      return (await writer.write(source)) === undefined ? 'left' : 'ended';
    },
    park: () => leave('waiting'),
    halt: () => leave('halted'),
  };
  return record;

  async function leave(as: 'waiting' | 'halted'): Promise<RunEnd> {
    status = as;
    const written = await writer.write(source);
    if (written === undefined) return 'left';
    return written.status === 'pending' ? 'ready' : written.status === 'waiting' ? 'parked' : 'ended';
  }
}

/**
 * Returns which write a run needs before it begins tasks or waits. Invariant: irrevocable work is written before
 * anything that depends on it begins. `begins`: tasks are about to begin; `running`: tasks are in progress.
 */
export function writeDue(
  { continueRequested, mustKeep }: Pick<RunRecord, 'continueRequested' | 'mustKeep'>,
  { begins, running }: { readonly begins: boolean; readonly running: boolean },
): 'now' | 'soon' | undefined {
  if (continueRequested) return 'now';
  if (begins) return mustKeep ? 'now' : 'soon';
  return mustKeep && running ? 'now' : undefined;
}

/** Returns the size as JSON, 0 for undefined. Up to `small` bytes, it may be an upper bound. */
function bytesOf(value: JsonValue | undefined, small = SMALL_VALUE_BYTES): number {
  const bound = value === undefined ? 0 : boundJson(value, small);
  if (value === undefined || bound !== undefined) return bound ?? 0;
  const size = measureJson(value, NO_LIMITS);
  return 'bytes' in size ? size.bytes : 0;
}
