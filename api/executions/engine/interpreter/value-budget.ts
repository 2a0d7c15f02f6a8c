import {
  boundJson,
  describeExcess,
  type JsonSize,
  measureJson,
  measureOnce,
  type SizeLimits,
} from '../../json-size.ts';
import type { JsonValue } from '../../json-value.ts';
import { MAX_PAYLOAD_BYTES } from '../../payloads/port.ts';
import type { StepPath } from '../port.ts';
import { standardError } from '../standard-error.ts';
import { Fault } from './faults.ts';
import type { Pace } from './pace.ts';

/** How much data a run may make. Sizes are of the JSON text: values that share members are small in memory and exponentially larger when they are written. */
export interface ValueBudget {
  /** One value: an input, an output, the context, an event, an argument of a call. A larger one is a runtime error with status 413, which `try` can catch. */
  readonly valueBytes: number;
  /** All inputs and outputs that a run records. A run that exceeds it fails; `try` does not catch that. */
  readonly runBytes: number;
}

export const DEFAULT_BUDGET: ValueBudget = { valueBytes: 8 * 1024 * 1024, runBytes: 256 * 1024 * 1024 };

/** What an advance records before its state is written, so that it is not all in memory at once. */
export const BYTES_PER_ADVANCE = 4 * 1024 * 1024;
const MAX_DEPTH = 200;
/** Of the JSON text, on average: a list of small numbers takes much more memory than text of the same length. */
const BYTES_PER_NODE = 16;
/** Frames nest too, each some levels. */
const STATE_LIMITS: SizeLimits = { maxBytes: MAX_PAYLOAD_BYTES, maxNodes: MAX_PAYLOAD_BYTES / 4, maxDepth: 2_000 };

export function limitsOf({ valueBytes }: ValueBudget): SizeLimits {
  return { maxBytes: valueBytes, maxNodes: Math.ceil(valueBytes / BYTES_PER_NODE), maxDepth: MAX_DEPTH };
}

/** What a run counts of its values. */
export interface BudgetedRun {
  readonly budget: ValueBudget;
  /** Bytes that all advances have recorded, and that this one may still record before the state is to be written. */
  recorded: number;
  room: number;
  readonly pace: Pace;
  /** The value that was measured last. */
  measured?: { readonly value: JsonValue; readonly size: JsonSize };
}

/** The size of a value of a run. Throws the error of the language when it is too large; `what` names it. */
export function sizeOf(
  run: Pick<BudgetedRun, 'budget' | 'measured'>,
  value: JsonValue,
  what: string,
  path: StepPath,
): JsonSize {
  // The output of a step is the input of the next one.
  if (run.measured !== undefined && run.measured.value === value) return run.measured.size;
  const limits = limitsOf(run.budget);
  const size = measureJson(value, limits);
  if ('exceeds' in size) throw tooLarge(`${what} is ${describeExcess(size, limits)}`, path);
  if (typeof value === 'object') run.measured = { value, size };
  return size;
}

/** Counts a value while it is built, and throws the error of the language as soon as it is too large. */
export interface ValueSize {
  /** An object or list, or a member of one: its own characters. */
  addNode(bytes: number): void;
  /** A finished part, at its level in the value. */
  addValue(part: JsonValue, level: number): void;
  /** Throws when a part would not fit after so many characters more. Counts nothing. */
  expect(part: JsonValue, characters: number): void;
}

export function createValueSize({
  run,
  path,
}: {
  readonly run: Pick<BudgetedRun, 'budget' | 'pace'>;
  readonly path: StepPath;
}): ValueSize {
  const limits = limitsOf(run.budget);
  let bytes = 0;
  let nodes = 0;
  const measure = (part: JsonValue, level: number, more: number): JsonSize => {
    const left: SizeLimits = {
      maxBytes: limits.maxBytes - bytes - more,
      maxNodes: limits.maxNodes - nodes,
      maxDepth: limits.maxDepth - level,
    };
    const size = measureJson(part, left);
    if ('exceeds' in size) throw tooLarge(`a value is ${describeExcess(size, limits)}`, path);
    return size;
  };
  return {
    addNode(more) {
      bytes += more;
      nodes += 1;
    },
    addValue(part, level) {
      // The whole value is measured exactly when it is complete: until then less is enough, and faster.
      if (typeof part !== 'object' || part === null) {
        nodes += 1;
        bytes += typeof part === 'string' ? part.length : 1;
        if (bytes > limits.maxBytes || nodes > limits.maxNodes) measure(part, level, 0);
        return;
      }
      const size = measure(part, level, 0);
      bytes += size.bytes;
      nodes += size.nodes;
      run.pace.count(size.bytes);
    },
    expect(part, characters) {
      // The whole text is measured when it is complete: until then its length is enough.
      if (typeof part !== 'string') measure(part, 0, characters);
      else if (bytes + characters + part.length > limits.maxBytes)
        throw tooLarge(`a value is ${describeExcess({ exceeds: 'bytes' }, limits)}`, path);
    },
  };
}

export const tooLarge = (detail: string, path: StepPath): Fault =>
  new Fault(standardError('runtime', detail, path, 413));

/** Counts a value that goes into the trace. Throws when the run has recorded more than it may. */
export function countRecorded(run: BudgetedRun, value: JsonValue | undefined, what: string, path: StepPath): void {
  if (value === undefined) return;
  const { bytes } = sizeOf(run, value, what, path);
  run.room -= bytes;
  run.recorded += bytes;
  run.pace.count(bytes);
  const { runBytes } = run.budget;
  if (run.recorded > runBytes)
    throw new Fault(
      standardError('runtime', `the steps of the run have recorded more than ${runBytes} bytes of data`, path, 413),
      true,
    );
}

/** Most states are smaller, and are not measured exactly. */
const SMALL_STATE_BYTES = 256 * 1024;

/** Why a state cannot be kept; undefined when it can. */
export function stateProblem(state: JsonValue): string | undefined {
  if (boundJson(state, SMALL_STATE_BYTES) !== undefined) return undefined;
  const size = measureOnce(state, STATE_LIMITS); // its writer measures it again
  return 'exceeds' in size
    ? `the data that the run holds at once is ${describeExcess(size, STATE_LIMITS)}: the tasks in progress keep too much`
    : undefined;
}
