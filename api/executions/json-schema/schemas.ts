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
 * Checks values against JSON Schemas of users. A schema within the limits of `schema-limits.ts` is compiled and run in a thread, which is terminated when
 * it takes too long; one account's checks take turns with those of others. A simple schema (`simple-schema.ts`) and a small value are checked at once.
 */
export interface Schemas {
  /**
   * Rejects with `SchemaBroken` when the schema exceeds a limit, does not compile or takes too long, and with `ThreadsBusyError` when too many wait.
   * `key`: the account.
   */
  check(schema: JsonValue, value: JsonValue, key?: string): Promise<SchemaVerdict>;
  /** Resolves if the schema can be used; otherwise rejects with `SchemaBroken`. */
  compile(schema: JsonValue, key?: string): Promise<void>;
  /**
   * Whether a regular expression matches a whole text. False also for one that does not compile, exceeds a limit or takes too long.
   */
  matches(pattern: string, text: string, key?: string): Promise<boolean>;
  close(): Promise<void>;
}

/** No verdict is possible. The message is for the author of the schema. */
export class SchemaBroken extends Error {
  override readonly name = 'SchemaBroken';
  /** The value was too large for a check, or took too long; the schema may be right. */
  readonly ofValue: boolean;

  constructor(message: string, ofValue = false) {
    super(message);
    this.ofValue = ofValue;
  }
}

export interface SchemasOptions {
  /** Of one check, processor time; see `limitThread`. Default 1 s. */
  readonly timeLimitMs?: number;
  /** Default 2. */
  readonly threads?: number;
}

/** A value that is checked: recursive schemas go as deep as it is. */
const VALUE_LIMITS: SizeLimits = { maxBytes: 16 * 1024 * 1024, maxNodes: 1_000_000, maxDepth: 256 };
/** Steps of a schema times values, and times the text in them: some milliseconds each. */
const MAX_STEPS_HERE = 100_000;
const MAX_CHARACTERS_HERE = 10_000_000;
/** Text of all requests that wait. */
/** Steps that matching a text takes at most where no thread is asked. */
const MAX_PATTERN_STEPS_HERE = 100_000;
const PATTERN_TIME_MS = 100;
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_CHARACTERS = 512 * 1024;
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

interface Known {
  readonly broken: string | undefined;
  readonly text: string;
  /** `validate` is made by the first check: processes that check nothing load no compiler. */
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
  /** By the document's identity: a definition is loaded once and its schemas are used often. */
  const known = new WeakMap<object, Known>();
  /** By the text of a pattern. `undefined` inside: it does not compile. */
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
  /** In the thread it is a schema like any other. */
  readonly schema: string;
}

/** For the whole of a text. Undefined: it does not compile. */
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

/** The engine compiles a pattern when it is first used, and rejects some only then. */
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
