import { boundJson, measureJson } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import type { ExecutionWrite } from '../store/advance.ts';
import { type Change, emptyChange, noteStep, renderChange } from './change.ts';
import { beginDelay, delayOpenSteps } from './delayed-steps.ts';
import type { Advance, WorkflowError } from './port.ts';
import type { RunDeps, RunEnd } from './run-port.ts';
import type { WriteSource } from './write-batch.ts';

/** A write of more steps, or of more data, blocks the process while it is made. */
const MAX_UNWRITTEN_STEPS = 500;
const MAX_UNWRITTEN_BYTES = 8 * 1024 * 1024;
/** Values and states that are not measured exactly: few bytes are not counted at all. */
const SMALL_VALUE_BYTES = 2 * 1024;
const SMALL_STATE_BYTES = 32 * 1024;
/** Only counted, never refused. */
const NO_LIMITS = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
};

/** How an execution ended. */
type RunOutcome = { readonly result: JsonValue } | { readonly error: WorkflowError };

/** The row of an execution as its next write leaves it. Owned by `createRun`; `applyCommand` notes the commands of the interpreter in it. */
export interface RunRecord {
  /** State of the interpreter; undefined before it has begun. */
  readonly state: JsonValue | undefined;
  /** Changes since the last write. A write replaces it: read it again after each `await`. */
  readonly change: Change;
  /** Set when the execution has ended. */
  readonly outcome: RunOutcome | undefined;
  /** The interpreter waits for a `continue` event, which it receives after a write. */
  continueRequested: boolean;
  /** Something irrevocable happened since the last `keep`: it must be written before anything that follows from it begins. */
  mustKeep: boolean;
  /** Waits until there is room for what the run holds now: its state, and the steps that are not written yet. */
  hold(advance: Advance): Promise<void>;
  /** Notes the state and the steps of an advance. */
  note(advance: Advance): void;
  /** Notes how the execution ended. The first outcome counts. */
  end(outcome: RunOutcome): void;
  /** True when so much is unwritten that the next write must not wait for more. */
  isLarge(): boolean;
  /** Writes with the next batch. No caller waits. */
  writeSoon(): void;
  /** Writes a run that goes on. Resolves to false when the run ends here: the lease was lost, or the write was refused and the execution has failed. */
  keep(): Promise<boolean>;
  /** Writes the outcome. */
  finish(): Promise<RunEnd>;
  /** Writes a run that waits. */
  park(): Promise<RunEnd>;
  /** Writes a run that is to be suspended, with steps that have not begun. */
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
      // Nothing is delayed when the run leaves this worker.
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
 * Which write a run needs before it begins tasks or waits. Nothing that follows from something irrevocable begins before the latter is written.
 * `begins`: tasks are about to begin; `running`: tasks that go on.
 */
export function writeDue(
  { continueRequested, mustKeep }: Pick<RunRecord, 'continueRequested' | 'mustKeep'>,
  { begins, running }: { readonly begins: boolean; readonly running: boolean },
): 'now' | 'soon' | undefined {
  if (continueRequested) return 'now';
  if (begins) return mustKeep ? 'now' : 'soon';
  return mustKeep && running ? 'now' : undefined;
}

/** As JSON; 0 for what is not there. At most `small` bytes may be more than there are. */
function bytesOf(value: JsonValue | undefined, small = SMALL_VALUE_BYTES): number {
  const bound = value === undefined ? 0 : boundJson(value, small);
  if (value === undefined || bound !== undefined) return bound ?? 0;
  const size = measureJson(value, NO_LIMITS);
  return 'bytes' in size ? size.bytes : 0;
}
