import type { ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import { createBoundedThreads, ThreadLimitError, ThreadsBusyError } from '#api/threads/bounded-threads.ts';
import { describeExcess, measureJson, type SizeLimits } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import { patternCost } from './pattern-cost.ts';
import { schemaProblem } from './schema-limits.ts';
import type { SchemaReply, SchemaRequest } from './schema-worker.ts';
import { stepsOfSimple } from './simple-schema.ts';
import { isSchema, type Schema } from './subschemas.ts';
import { type SchemaVerdict, verdictOf } from './verdict.ts';

/**
 * Validates values against JSON Schemas of users. A schema within the limits of `schema-limits.ts` is compiled and run
 * in a thread, which is terminated at a time limit. Checks are scheduled fairly between accounts. A simple schema
 * (`simple-schema.ts`) with a small value is checked synchronously.
 */
export interface Schemas {
  /**
   * Rejects with `SchemaBroken` if the schema exceeds a limit, does not compile or takes too long. Rejects with
   * `ThreadsBusyError` if too many checks are queued. `key`: the account.
   */
  check(schema: JsonValue, value: JsonValue, key?: string): Promise<SchemaVerdict>;
  /** Resolves if the schema can be used; otherwise rejects with `SchemaBroken`. */
  compile(schema: JsonValue, key?: string): Promise<void>;
  /**
   * Returns true if a regular expression matches the whole text. Returns false for one that does not compile, exceeds a
   * limit or takes too long.
   */
  matches(pattern: string, text: string, key?: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Thrown if no verdict is possible. The message is for the author of the schema. */
export class SchemaBroken extends Error {
  override readonly name = 'SchemaBroken';
  /** True if the value was too large or took too long. The schema may be correct. */
  readonly ofValue: boolean;

  constructor(message: string, ofValue = false) {
    super(message);
    this.ofValue = ofValue;
  }
}

export interface SchemasOptions {
  /** Processor time limit of one check, in ms; see `limitThread`. Default 1,000. */
  readonly timeLimitMs?: number;
  /** Default 2. */
  readonly threads?: number;
}

/** Limits of a checked value. Recursive schemas are evaluated to the depth of the value. */
const VALUE_LIMITS: SizeLimits = { maxBytes: 16 * 1024 * 1024, maxNodes: 1_000_000, maxDepth: 256 };
/**
 * Limits for synchronous checks: schema steps times values, and times the characters in them. Each takes a few
 * milliseconds.
 */
const MAX_STEPS_HERE = 100_000;
const MAX_CHARACTERS_HERE = 10_000_000;
/** Maximum number of steps to match a pattern without a thread. */
const MAX_PATTERN_STEPS_HERE = 100_000;
const PATTERN_TIME_MS = 100;
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_CHARACTERS = 512 * 1024;
/** Maximum characters of all queued requests. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

interface Known {
  readonly broken: string | undefined;
  readonly text: string;
  /** `validate` loads the compiler on first use, so processes without checks never load it. */
  readonly simple: { readonly validate: () => Promise<ValidateFunction>; readonly steps: number } | undefined;
}

export function createSchemas({ timeLimitMs = 1_000, threads = 2 }: SchemasOptions = {}): Schemas {
  const pool = createBoundedThreads<SchemaRequest, SchemaReply>({
    file: new URL('./schema-worker.ts', import.meta.url),
    threads,
    timeLimitMs,
    maxQueued: 1_000,
    maxQueuedOfKey: 200,
    idleMs: 60_000,
    memoryMb: 128,
    stackMb: 4,
  });
  /** Cached by identity: a definition is loaded once and its schemas are used often. */
  const known = new WeakMap<object, Known>();
  /** Cache by pattern. `undefined` inside means that the pattern does not compile. */
  const patterns = new LRUCache<string, { readonly compiled: CompiledPattern | undefined }>({
    max: MAX_PATTERNS,
    maxSize: MAX_PATTERN_CHARACTERS,
    sizeCalculation: (_compiled, pattern) => pattern.length + 1,
  });
  let waitingCharacters = 0;

  function read(schema: JsonValue): Known {
    if (typeof schema === 'boolean') return { broken: undefined, text: String(schema), simple: undefined };
    if (!isSchema(schema)) throw new SchemaBroken('a JSON Schema is an object');
    let found = known.get(schema);
    if (found === undefined) {
      found = inspect(schema);
      known.set(schema, found);
    }
    if (found.broken !== undefined) throw new SchemaBroken(found.broken);
    return found;
  }

  function patternOf(pattern: string): CompiledPattern | undefined {
    let found = patterns.get(pattern);
    if (found === undefined) {
      found = { compiled: compilePattern(pattern) };
      patterns.set(pattern, found);
    }
    return found.compiled;
  }

  async function ask(
    text: string,
    value: string | undefined,
    key: string | undefined,
    limitMs?: number,
  ): Promise<SchemaVerdict> {
    const characters = text.length + (value?.length ?? 0);
    if (waitingCharacters > 0 && waitingCharacters + characters > MAX_WAITING_CHARACTERS)
      throw new ThreadsBusyError('too much data is waiting to be checked');
    waitingCharacters += characters;
    try {
      const reply = await pool.run({ schema: text, value }, key, limitMs);
      if ('verdict' in reply) return reply.verdict;
      throw new SchemaBroken(reply.broken);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      const what = error.limit === 'memory' ? 'too much memory' : 'too long';
      throw new SchemaBroken(`it takes ${what} to check`, value !== undefined);
    } finally {
      waitingCharacters -= characters;
    }
  }

  return {
    async check(schema, value, key) {
      const { text, simple } = read(schema);
      const size = measureJson(value, VALUE_LIMITS);
      if ('exceeds' in size) throw new SchemaBroken(`the value is ${describeExcess(size, VALUE_LIMITS)}`, true);
      if (
        simple !== undefined &&
        simple.steps * size.nodes <= MAX_STEPS_HERE &&
        simple.steps * size.bytes <= MAX_CHARACTERS_HERE
      )
        return verdictHere(await simple.validate(), value);
      return ask(text, JSON.stringify(value), key);
    },
    async compile(schema, key) {
      await ask(read(schema).text, undefined, key);
    },
    async matches(pattern, text, key) {
      const found = patternOf(pattern);
      if (found === undefined) return false;
      try {
        if (patternCost(pattern, text.length) <= MAX_PATTERN_STEPS_HERE) return matchesHere(found.here, text);
        return (await ask(found.schema, JSON.stringify(text), key, PATTERN_TIME_MS)).valid;
      } catch (error) {
        if (error instanceof SchemaBroken) return false;
        throw error;
      }
    },
    close: () => pool.close(),
  };
}

function inspect(schema: Schema): Known {
  const size = measureJson(schema, VALUE_LIMITS);
  if ('exceeds' in size)
    return { broken: `the schema is ${describeExcess(size, VALUE_LIMITS)}`, text: '', simple: undefined };
  const problem = schemaProblem(schema);
  if (problem !== undefined) {
    const place = problem.path.length === 0 ? '' : ` (at /${problem.path.join('/')})`;
    return { broken: `${problem.message}${place}`, text: '', simple: undefined };
  }
  const steps = stepsOfSimple(schema);
  return {
    broken: undefined,
    text: JSON.stringify(schema),
    simple: steps === undefined ? undefined : { validate: compileLater(schema), steps },
  };
}

interface CompiledPattern {
  readonly here: RegExp;
  /** A schema with the pattern, for the thread. */
  readonly schema: string;
}

/** Compiles a pattern that must match the whole text. Returns undefined if it does not compile. */
function compilePattern(pattern: string): CompiledPattern | undefined {
  const whole = `^(?:${pattern})$`;
  try {
    return { here: new RegExp(whole, 'u'), schema: JSON.stringify({ pattern: whole }) };
  } catch {
    return undefined;
  }
}

function verdictHere(validate: ValidateFunction, value: JsonValue): SchemaVerdict {
  try {
    return verdictOf(validate, value);
  } catch (error) {
    throw new SchemaBroken(error instanceof Error ? error.message : String(error));
  }
}

/** The engine compiles a pattern on first use, and rejects some patterns only then. */
function matchesHere(pattern: RegExp, text: string): boolean {
  try {
    return pattern.test(text);
  } catch {
    return false;
  }
}

function compileLater(schema: Schema): () => Promise<ValidateFunction> {
  let compiled: Promise<ValidateFunction> | undefined;
  return () => {
    compiled ??= import('./compile-schema.ts').then(({ compileSchema }) => {
      try {
        return compileSchema(schema, { trusted: true });
      } catch (error) {
        throw new SchemaBroken(error instanceof Error ? error.message : String(error));
      }
    });
    return compiled;
  };
}
