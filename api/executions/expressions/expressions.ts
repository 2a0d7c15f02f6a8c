import { LRUCache } from 'lru-cache';
import { measureJson } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import type { EvaluateFor } from './evaluate.ts';
import { ExpressionError, ExpressionsBusyError } from './expression-error.ts';
import { compileFast, FALL_BACK, type FastExpression } from './fast-path.ts';
import { createJqPool } from './jq-pool.ts';
import { jqProgram, variablesOf } from './jq-program.ts';
import { bareExpression } from './parse-template.ts';

export interface ExpressionsOptions {
  /** Number of jq threads. Default 2. */
  readonly threads?: number;
  /** Maximum time of one evaluation, in ms. Default 1,000. */
  readonly timeLimitMs?: number;
  /** Maximum size of the input with its variables and the expression, in characters of JSON. Default 4 Mi. */
  readonly maxInputChars?: number;
  /** Maximum size of the result, in characters of JSON. Default 1 Mi. */
  readonly maxOutputChars?: number;
  /** Maximum memory of jq per thread. Default 128 MiB. */
  readonly memoryBytes?: number;
  /** Maximum number of queued evaluations. Default 1,000. */
  readonly maxQueued?: number;
}

export interface Expressions {
  readonly evaluate: EvaluateFor;
  close(): Promise<void>;
}

/**
 * Limits of the cache of compiled expressions: number, and characters. A compiled expression takes about fifty bytes
 * per character.
 */
const MAX_COMPILED = 5_000;
const MAX_COMPILED_CHARACTERS = 512 * 1024;
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
const MAX_DEPTH = 1_000;
/** Maximum size of all queued and running evaluations, in characters. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

/**
 * Evaluates jq expressions, bare or in `${ }`, in threads that can be terminated. An expression must return exactly one
 * JSON value.
 *
 * Numbers are IEEE doubles, as in JavaScript: integers above 2^53 have already lost precision in the input. So 64-bit
 * values are strings, in hexadecimal in events and detections.
 *
 * A jq instance serves one account only.
 *
 * Rejects with ExpressionError for a fault of the expression, which is permanent, or with ExpressionsBusyError, which
 * is temporary.
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
      // Measured before serialization: values that share members can serialize to gigabytes.
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
  if (newline < 0) throw new ExpressionError('the expression returns no value');
  // Compact output has no newline inside a value.
  if (newline < output.length - 1) throw new ExpressionError('the expression returns more than one value');
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    // jq replaces values below its depth limit with a note, which is not valid JSON.
    throw new ExpressionError('the value is nested too deep');
  }
}

/** Rethrows an error without positions: they refer to the generated program and not to the expression of the author. */
function rethrow(error: unknown): never {
  if (!(error instanceof ExpressionError)) throw error;
  const [first = ''] = error.message.split('\n');
  const detail = first
    .replace(/^jq: error(?: \(at [^)]*\))?(?: \(not a string\))?: /, '')
    .replace(/ at <top-level>, line \d+:?$/, '')
    .replace(' (Unix shell quoting issues?)', '');
  throw new ExpressionError(detail.slice(0, 500));
}
