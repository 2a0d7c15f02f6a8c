import { LRUCache } from 'lru-cache';
import type { EvaluateFor } from '../engine/port.ts';
import { measureJson } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import { ExpressionError, ExpressionsBusyError } from './expression-error.ts';
import { compileFast, FALL_BACK, type FastExpression } from './fast-path.ts';
import { createJqPool } from './jq-pool.ts';
import { jqProgram, variablesOf } from './jq-program.ts';
import { bareExpression } from './parse-template.ts';

export interface ExpressionsOptions {
  /** Threads for jq. Default 2. */
  readonly threads?: number;
  /** Maximum time of one evaluation. Default 1,000 ms. */
  readonly timeLimitMs?: number;
  /** Size of the input with its variables, and of the expression, in characters of JSON. Default 4 Mi. */
  readonly maxInputChars?: number;
  /** Size of the value in characters of JSON. Default 1 Mi. */
  readonly maxOutputChars?: number;
  /** Memory of the jq of one thread. Default 128 MiB. */
  readonly memoryBytes?: number;
  /** Evaluations that may wait for a thread. Default 1,000. */
  readonly maxQueued?: number;
}

export interface Expressions {
  readonly evaluate: EvaluateFor;
  close(): Promise<void>;
}

/** Compiled expressions that are kept, and their characters: a compiled one takes some fifty bytes for each. */
const MAX_COMPILED = 5_000;
const MAX_COMPILED_CHARACTERS = 512 * 1024;
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
const MAX_DEPTH = 1_000;
/** Text of all evaluations that wait for a thread or run. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

/**
 * Evaluates jq expressions, bare or in `${ }`, where they can be ended. An expression gives exactly one JSON value: none and several are errors.
 *
 * Numbers are IEEE doubles, as in JSON of JavaScript: integers beyond 2^53 lose digits before they get here. What needs 64 bits is carried as a string;
 * events and detections have such values in hexadecimal.
 *
 * An instance of jq that evaluated something for one account evaluates nothing for another one.
 *
 * Rejects with ExpressionError, which is the expression's fault and comes again, or ExpressionsBusyError, which is not.
 */
export function createExpressions(options: ExpressionsOptions = {}): Expressions {
  const maxInputChars = options.maxInputChars ?? 4 * 1024 * 1024;
  const pool = createJqPool({
    threads: options.threads ?? 2,
    timeLimitMs: options.timeLimitMs ?? 1_000,
    maxOutputChars: options.maxOutputChars ?? 1024 * 1024,
    memoryBytes: options.memoryBytes ?? 128 * 1024 * 1024,
    maxQueued: options.maxQueued ?? 1_000,
  });
  let waitingCharacters = 0;
  const compiled = new LRUCache<string, { bare: string; fast: FastExpression | undefined }>({
    max: MAX_COMPILED,
    maxSize: MAX_COMPILED_CHARACTERS,
    sizeCalculation: (_compiled, expression) => expression.length + 1,
  });

  function compile(expression: string): { bare: string; fast: FastExpression | undefined } {
    let known = compiled.get(expression);
    if (known === undefined) {
      const bare = bareExpression(expression);
      known = { bare, fast: compileFast(bare) };
      compiled.set(expression, known);
    }
    return known;
  }

  return {
    async evaluate(expression, input, variables, account) {
      const { bare, fast } = compile(expression);
      const simple = fast === undefined ? FALL_BACK : fast(input, variables);
      if (simple !== FALL_BACK) return simple;
      const used = variablesOf(bare).flatMap((name) =>
        Object.hasOwn(variables, name) ? [variables[name] ?? null] : [],
      );
      // Before it becomes text: values that share members can be gigabytes of it.
      const size = measureJson([input, ...used], {
        maxBytes: maxInputChars * MAX_BYTES_PER_CHARACTER,
        maxNodes: maxInputChars,
        maxDepth: MAX_DEPTH,
      });
      const tooLarge = `the input is larger than ${maxInputChars} characters`;
      if ('exceeds' in size)
        throw new ExpressionError(size.exceeds === 'depth' ? 'the input is nested too deep' : tooLarge);
      const { program, document } = jqProgram(bare, input, variables);
      const characters = document.length + program.length;
      if (characters > maxInputChars) throw new ExpressionError(tooLarge);
      if (waitingCharacters > 0 && waitingCharacters + characters > MAX_WAITING_CHARACTERS)
        throw new ExpressionsBusyError('too much data is waiting to be evaluated');
      waitingCharacters += characters;
      try {
        return readValue(await pool.run({ account, program, document }).catch((error: unknown) => rethrow(error)));
      } finally {
        waitingCharacters -= characters;
      }
    },
    close: () => pool.close(),
  };
}

function readValue(output: string): JsonValue {
  const newline = output.indexOf('\n');
  if (newline < 0) throw new ExpressionError('the expression gives no value');
  // Compact output has no newline inside a value.
  if (newline < output.length - 1) throw new ExpressionError('the expression gives more than one value');
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    // In the place of what is nested deeper than it prints jq puts a note that is no JSON.
    throw new ExpressionError('the value is nested too deep');
  }
}

/** jq says where in the program it failed; that program is not what the author wrote, so places are left out. */
function rethrow(error: unknown): never {
  if (!(error instanceof ExpressionError)) throw error;
  const [first = ''] = error.message.split('\n');
  const detail = first
    .replace(/^jq: error(?: \(at [^)]*\))?(?: \(not a string\))?: /, '')
    .replace(/ at <top-level>, line \d+:?$/, '')
    .replace(' (Unix shell quoting issues?)', '');
  throw new ExpressionError(detail.slice(0, 500));
}
