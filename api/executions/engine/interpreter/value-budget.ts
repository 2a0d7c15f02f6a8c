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
import { standardError } from '../contract/standard-error.ts';
import type { StepPath } from '../contract/workflow-error.ts';
import { Fault } from './faults.ts';
import type { Pace } from './pace.ts';

/**
 * Limits on the data of a run. Sizes are those of the JSON text, because values that share members can be small in
 * memory and exponentially larger as JSON.
 */
export interface ValueBudget {
  /**
   * Maximum size of one value: an input, an output, the context, an event or an argument of a call. A larger value is a
   * runtime error with status 413, which `try` can catch.
   */
  readonly valueBytes: number;
  /**
   * Maximum total size of the inputs and outputs that a run records. A larger total fails the run; `try` cannot catch
   * it.
   */
  readonly runBytes: number;
}

export const DEFAULT_BUDGET: ValueBudget = { valueBytes: 8 * 1024 * 1024, runBytes: 256 * 1024 * 1024 };

/** Maximum bytes that one advance records before its state is written. It bounds the memory in use. */
export const BYTES_PER_ADVANCE = 4 * 1024 * 1024;
const MAX_DEPTH = 200;
/**
 * Minimum average JSON text per node. Lists of small numbers need much more memory than a string of the same JSON
 * length.
 */
const BYTES_PER_NODE = 16;
/** The depth limit is higher than for values, because each frame adds several levels. */
const STATE_LIMITS: SizeLimits = { maxBytes: MAX_PAYLOAD_BYTES, maxNodes: MAX_PAYLOAD_BYTES / 4, maxDepth: 2_000 };

export function limitsOf({ valueBytes }: ValueBudget): SizeLimits {
  return { maxBytes: valueBytes, maxNodes: Math.ceil(valueBytes / BYTES_PER_NODE), maxDepth: MAX_DEPTH };
}

/** Accounting of the values of a run. */
export interface BudgetedRun {
  readonly budget: ValueBudget;
  /**
   * Bytes recorded by all advances so far, and bytes that this advance may still record before the state must be
   * written.
   */
  recorded: number;
  room: number;
  readonly pace: Pace;
  /** The most recently measured value. */
  measured?: { readonly value: JsonValue; readonly size: JsonSize };
}

/**
 * Returns the size of a value. Throws an error of the language if it is too large; `what` names the value in the
 * message.
 */
export function sizeOf(
  run: Pick<BudgetedRun, 'budget' | 'measured'>,
  value: JsonValue,
  what: string,
  path: StepPath,
): JsonSize {
  // The output of a step is the input of the next, so the same value is often measured twice in succession.
  if (run.measured !== undefined && run.measured.value === value) return run.measured.size;
  const limits = limitsOf(run.budget);
  const size = measureJson(value, limits);
  if ('exceeds' in size) throw tooLarge(`${what} is ${describeExcess(size, limits)}`, path);
  if (typeof value === 'object') run.measured = { value, size };
  return size;
}

/** Measures a value while it is built. Throws an error of the language as soon as it is too large. */
export interface ValueSize {
  /** Adds an object, a list or the name of a member: its own characters without its contents. */
  addNode(bytes: number): void;
  /** Adds a finished part at this nesting level. */
  addValue(part: JsonValue, level: number): void;
  /** Throws if a part would not fit after that many more characters. Does not count it. */
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
      // A lower bound is enough here, and faster. The complete value is measured exactly later.
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
      // The length is enough here. The complete string is measured exactly later.
      if (typeof part !== 'string') measure(part, 0, characters);
      else if (bytes + characters + part.length > limits.maxBytes)
        throw tooLarge(`a value is ${describeExcess({ exceeds: 'bytes' }, limits)}`, path);
    },
  };
}

export const tooLarge = (detail: string, path: StepPath): Fault =>
  new Fault(standardError('runtime', detail, path, 413));

/** Counts a value that is written to the trace. Throws if the run exceeds its total. */
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

/** States below this size are not measured exactly. Most are smaller. */
const SMALL_STATE_BYTES = 256 * 1024;

/** Returns why a state cannot be stored, or undefined if it can. */
export function stateProblem(state: JsonValue): string | undefined {
  if (boundJson(state, SMALL_STATE_BYTES) !== undefined) return undefined;
  const size = measureOnce(state, STATE_LIMITS); // the writer needs the size too
  return 'exceeds' in size
    ? `the state of the run is ${describeExcess(size, STATE_LIMITS)}: its open tasks hold too much data`
    : undefined;
}
