import { decisionType } from '../../approvals/decision-type.ts';
import type { ApprovalPolicy } from '../../approvals/policy.ts';
import type { JsonValue } from '../../json-value.ts';
import {
  inlinePayload,
  type KeptPayload,
  keepPayload,
  NOTHING,
  PayloadTooLarge,
  smallPayload,
} from '../../payloads/keep-payload.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import type { ExecutionWrite, StepWrite } from '../../store/execution-write.ts';
import type { ExecutionClaim } from '../../store/leases.ts';
import type { CloudEvent, EventFilter } from '../contract/cloud-event.ts';
import type { StepRecord } from '../contract/port.ts';
import { engineError } from '../contract/task-failure.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
import { repliesTo } from './reply.ts';

/**
 * Changes of an execution since its last write. They accumulate until the next write, which stores them all. Most
 * changes have only steps. The other parts are undefined until they have an entry.
 */
export interface Change {
  readonly steps: Map<string, StepChange>;
  /** Logical clock: increments when a step begins or changes. */
  clock: number;
  timers: Map<string, string> | undefined;
  firedTimers: Set<string> | undefined;
  endedTimers: Set<string> | undefined;
  waits: Map<string, WaitChange> | undefined;
  endedWaits: Set<string> | undefined;
  signals: Map<number, boolean> | undefined;
  readonly events: CloudEvent[];
  /**
   * Start times of open steps, by attempt and path. Carried from change to change: a step may begin in one and end in a
   * later one.
   */
  readonly openSince: Map<string, string>;
}

export interface StepChange {
  /** Start time. For a step that another worker began, the time at which this worker first recorded it. */
  readonly startedAt: string;
  /** Deadline for writing its row, in the time base of `performance.now()`. Undefined until its task begins. */
  due?: number;
  /** True if its task has external effects. The row is then written before the task begins. */
  hasEffects?: true;
  /** Duration of the step in ms. Undefined while it is open, or if another worker began it. */
  ranMs?: number;
  /** Logical times of the beginning and of the last change of the step (see `Change.clock`). */
  readonly begun: number;
  changed: number;
  last: StepRecord;
}

interface WaitChange {
  readonly step: string;
  readonly mode: 'all' | 'any' | 'one';
  readonly filters: readonly EventFilter[];
  readonly approval?: ApprovalPolicy | undefined;
}

/** State of the execution after the write. */
export interface Position {
  readonly status: ExecutionWrite['status'];
  readonly state: JsonValue | undefined;
  readonly result?: JsonValue | undefined;
  readonly error?: WorkflowError | undefined;
}

/**
 * Returns a change without entries. `before` is the change of the same run that is being written. Its clock continues,
 * because delayed steps of `before` may move into the new change.
 */
export function emptyChange(before?: Change): Change {
  return {
    steps: new Map(),
    clock: before?.clock ?? 0,
    timers: undefined,
    firedTimers: undefined,
    endedTimers: undefined,
    waits: undefined,
    endedWaits: undefined,
    signals: undefined,
    events: [],
    openSince: before?.openSince ?? new Map(),
  };
}

export function noteStep(change: Change, record: StepRecord): void {
  const { steps, openSince } = change;
  const key = keyOf(record);
  const since = openSince.get(key);
  let step = steps.get(key);
  if (step === undefined) {
    step = {
      startedAt: since ?? record.at,
      begun: change.clock++,
      changed: change.clock++,
      last: record,
    };
    steps.set(key, step);
  } else {
    const input = record.input ?? step.last.input;
    step.last = input === undefined ? record : { ...record, input };
    step.changed = change.clock++;
  }
  if (isOpen(record)) {
    if (since === undefined) openSince.set(key, record.at);
  } else if (since !== undefined) {
    step.ranMs = Math.max(0, Date.parse(record.at) - Date.parse(since));
    openSince.delete(key);
  }
}

const keyOf = ({ step, attempt }: Pick<StepRecord, 'step' | 'attempt'>): string => `${attempt}\n${step}`;

/** Records that the task of a step has external effects. */
export function noteEffects(change: Change, step: Pick<StepRecord, 'step' | 'attempt'>): void {
  const noted = change.steps.get(keyOf(step));
  if (noted !== undefined) noted.hasEffects = true;
}

function isOpen({ status }: StepRecord): boolean {
  return status === 'running' || status === 'waiting';
}

/** Records that a timer is set, even if it was ended or set before. */
export function noteTimerSet(change: Change, timer: string, at: string): void {
  change.endedTimers?.delete(timer);
  change.timers ??= new Map();
  change.timers.set(timer, at);
}

/** Records that a timer is ended before it fires. */
export function noteTimerEnded(change: Change, timer: string): void {
  change.timers?.delete(timer);
  change.endedTimers ??= new Set();
  change.endedTimers.add(timer);
}

/** Records that a timer has fired and is not set again. */
export function noteTimerFired(change: Change, timer: string): void {
  change.timers?.delete(timer);
  change.endedTimers?.delete(timer);
  change.firedTimers ??= new Set();
  change.firedTimers.add(timer);
}

/** Records that a step waits for events. */
export function noteWait(change: Change, wait: string, { step, mode, filters, approval }: WaitChange): void {
  change.endedWaits?.delete(wait);
  change.waits ??= new Map();
  change.waits.set(wait, { step, mode, filters, approval });
}

/** Records that a wait has ended. */
export function noteWaitEnded(change: Change, wait: string): void {
  change.waits?.delete(wait);
  change.endedWaits ??= new Set();
  change.endedWaits.add(wait);
}

/** Records a signal that was delivered to the interpreter, and whether it consumed it. */
export function noteSignal(change: Change, signal: number, consumed: boolean): void {
  change.signals ??= new Map();
  change.signals.set(signal, consumed);
}

/** Statuses in which a run continues. */
const OPEN: ReadonlySet<Position['status']> = new Set(['running', 'waiting', 'halted', 'finalizing']);

/**
 * Returns the rows of a change. Values too large for a row go to the payload store first. A value too large for the
 * payload store fails the execution with an error that names the value, because a retry cannot succeed.
 */
export async function renderChange(
  claim: ExecutionClaim,
  change: Change,
  position: Position,
  payloads: PayloadStore | undefined,
): Promise<ExecutionWrite> {
  try {
    const terminal = !OPEN.has(position.status);
    const changes = [...change.steps.values()];
    const given = terminal ? undefined : position.state;
    const small = smallRows(claim, change, { ...position, state: given }, changes);
    if (small !== undefined) return small;
    const values: ValueToKeep[] = [
      { part: 'state', what: 'the state of the run', value: given },
      { part: 'result', what: 'the result of the run', value: position.result },
      ...changes.flatMap(({ last }) => [stepValue('input', last), stepValue('output', last)]),
    ];
    const kept = values.map(({ what, value }) => inlinePayload(payloads, what, value));
    for (const [at, { part, what, value }] of values.entries())
      kept[at] ??= await keepPayload(payloads, `${claim.id}/${claim.epoch}/${part}`, what, value);
    const [state = NOTHING, result = NOTHING, ...ofSteps] = kept;
    const steps = changes.map((step, at) => stepOf(step, ofSteps[2 * at] ?? NOTHING, ofSteps[2 * at + 1] ?? NOTHING));
    return rowsOf(claim, change, position, state, result, steps);
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error;
    return failedWrite(claim, engineError('Too large', error.message));
  }
}

/** Returns the rows of a change, or undefined if one of its values is large. */
function smallRows(
  claim: ExecutionClaim,
  change: Change,
  position: Position,
  changes: readonly StepChange[],
): ExecutionWrite | undefined {
  const [state, result] = [smallPayload(position.state), smallPayload(position.result)];
  if (state === undefined || result === undefined) return undefined;
  const steps: StepWrite[] = [];
  for (const step of changes) {
    const [input, output] = [smallPayload(step.last.input), smallPayload(step.last.output)];
    if (input === undefined || output === undefined) return undefined;
    steps.push(stepOf(step, input, output));
  }
  return rowsOf(claim, change, position, state, result, steps);
}

/** A value of a change. `part` is used in its file name. */
interface ValueToKeep {
  readonly part: string;
  readonly what: string;
  readonly value: JsonValue | undefined;
}

function stepValue(of: 'input' | 'output', step: StepRecord): ValueToKeep {
  return { part: `${of} ${step.attempt} ${step.step}`, what: `the ${of} of step ${step.name}`, value: step[of] };
}

/** Returns the write that fails an execution whose change cannot be stored. */
export function failedWrite(claim: ExecutionClaim, error: WorkflowError): ExecutionWrite {
  return rowsOf(claim, emptyChange(), { status: 'failed', state: undefined, error }, NOTHING, NOTHING, []);
}

function rowsOf(
  { id, epoch }: ExecutionClaim,
  change: Change,
  { status, error }: Position,
  state: KeptPayload,
  result: KeptPayload,
  steps: readonly StepWrite[],
): ExecutionWrite {
  return {
    id,
    epoch,
    status,
    state: state.json,
    stateFile: state.file,
    result: result.json,
    resultFile: result.file,
    error: error === undefined ? null : JSON.stringify(error),
    steps,
    timers: listOf(change.timers, ([timer, fireAt]) => ({ timer, fireAt })),
    firedTimers: listOf(change.firedTimers, (timer) => timer),
    endedTimers: listOf(change.endedTimers, (timer) => timer),
    waits: listOf(change.waits, ([wait, { step, mode, filters, approval }]) => ({
      wait,
      step,
      mode,
      filters: JSON.stringify(filters),
      eventTypes: approval === undefined ? typesOf(filters) : [decisionType(id, wait)],
      approval: approval === undefined ? null : JSON.stringify(approval),
    })),
    endedWaits: listOf(change.endedWaits, (wait) => wait),
    signals: listOf(change.signals, ([signal, consumed]) => ({ signal, consumed })),
    events: change.events.map((event) => ({
      source: event.source,
      eventId: event.id,
      type: event.type,
      event: JSON.stringify(event),
      repliesTo: repliesTo(event),
    })),
  };
}

const NONE: readonly never[] = [];

/** Returns a shared list for an empty part, because most parts of most changes are empty. */
function listOf<T, R>(part: (Iterable<T> & { readonly size: number }) | undefined, row: (item: T) => R): readonly R[] {
  return part === undefined || part.size === 0 ? NONE : [...part].map(row);
}

function stepOf(
  { startedAt, ranMs, begun, changed, last }: StepChange,
  input: KeptPayload,
  output: KeptPayload,
): StepWrite {
  return {
    step: last.step,
    attempt: last.attempt,
    begun,
    changed,
    name: last.name,
    kind: last.kind,
    status: last.status,
    input: input.json,
    inputFile: input.file,
    output: output.json,
    outputFile: output.file,
    error: last.error === undefined ? null : JSON.stringify(last.error),
    startedAt,
    endedAt: isOpen(last) ? null : last.at,
    ...(ranMs === undefined ? {} : { ranMs }),
  };
}

/** Returns the event types that a wait may receive. If a filter has no type or a pattern, all types are possible. */
function typesOf(filters: readonly EventFilter[]): string[] {
  const literal = /^[\w.:/-]+$/;
  return [
    ...new Set(
      filters.map(({ with: attributes }) => {
        const { type } = attributes;
        return typeof type === 'string' && literal.test(type) ? type : '*';
      }),
    ),
  ];
}
