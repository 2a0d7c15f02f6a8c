import { durationMs } from '../engine/interpreter/durations.ts';
import { get, isObject, type JsonObject } from '../engine/interpreter/json.ts';
import { variablesOf } from '../expressions/jq-program.ts';
import { bareExpression } from '../expressions/parse-template.ts';
import type { JsonValue } from '../json-value.ts';

/**
 * At most `max` concurrent executions per key. An execution holds its slot from admission to its end, even while it
 * waits for an event or a timer.
 */
export interface ConcurrencyLimit {
  readonly max: number;
  readonly key?: string;
}

/** At most `max` admissions per key in any period of `periodMs`. */
export interface ThrottleLimit {
  readonly max: number;
  readonly periodMs: number;
  readonly key?: string;
}

/**
 * Merges starts with the same key into one execution with the last input. It begins after `periodMs` without a start,
 * at most `maxDelayMs` after the first.
 */
export interface DebounceLimit {
  readonly periodMs: number;
  readonly maxDelayMs: number;
  readonly key?: string;
}

/**
 * Merges starts with the same key into one execution with the list of their inputs. It begins after `max` starts, or
 * `periodMs` after the first.
 */
export interface BatchLimit {
  readonly max: number;
  readonly periodMs: number;
  readonly key?: string;
}

/**
 * Contents of `document.metadata.limits` of a definition. Keys, and priorities given as strings, are jq expressions on
 * the input.
 */
export interface DeclaredLimits {
  readonly concurrency?: ConcurrencyLimit;
  readonly throttle?: ThrottleLimit;
  readonly debounce?: DebounceLimit;
  readonly batch?: BatchLimit;
  readonly priority?: number | string;
  readonly retentionMs?: number;
}

export interface LimitProblem {
  /** Path from the document. */
  readonly path: readonly string[];
  readonly message: string;
}

const AT = ['document', 'metadata', 'limits'] as const;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_RETENTION_MS = 3_650 * DAY_MS;
const MAX_COUNT = 1_000;
const DELAYS_OF_PERIOD = 10;
export const MAX_PRIORITY = 100;

/** Returns the limits of a released definition. Ignores invalid ones, which the release has already refused. */
export function limitsOf(definition: JsonValue): DeclaredLimits {
  return read(definition).limits;
}

/** Validates the limits of a definition. Returns no problems if it declares no limits. */
export function limitProblems(definition: JsonValue): LimitProblem[] {
  return read(definition).problems;
}

/** Returns the expressions of the limits with their paths, so a release can compile them. */
export function limitExpressions(definition: JsonValue): { readonly path: string[]; readonly expression: string }[] {
  const { concurrency, throttle, debounce, batch, priority } = limitsOf(definition);
  const keys = Object.entries({ concurrency, throttle, debounce, batch }).flatMap(([name, limit]) =>
    limit?.key === undefined ? [] : [{ path: [...AT, name, 'key'], expression: bareExpression(limit.key) }],
  );
  if (typeof priority !== 'string') return keys;
  return [...keys, { path: [...AT, 'priority'], expression: bareExpression(priority) }];
}

function read(definition: JsonValue): { readonly limits: DeclaredLimits; readonly problems: LimitProblem[] } {
  const given = get(get(get(definition, 'document'), 'metadata'), 'limits');
  const problems: LimitProblem[] = [];
  if (given === undefined) return { limits: {}, problems };
  const report = (message: string, ...path: string[]): undefined => {
    problems.push({ path: [...AT, ...path], message });
    return undefined;
  };
  if (!isObject(given)) {
    report('must be an object of limits');
    return { limits: {}, problems };
  }
  const from = createReader(given, report);
  const concurrency = from.limit('concurrency', ['max', 'key'], ({ count, key }) => {
    const max = count(1);
    return max === undefined ? undefined : { max, ...key() };
  });
  const throttle = from.limit('throttle', ['max', 'period', 'key'], ({ count, duration, key }) => {
    const [max, periodMs] = [count(1), duration('period', SECOND_MS, DAY_MS)];
    return max === undefined || periodMs === undefined ? undefined : { max, periodMs, ...key() };
  });
  const debounce = from.limit('debounce', ['period', 'maxDelay', 'key'], ({ duration, has, key }) => {
    const periodMs = duration('period', SECOND_MS, HOUR_MS);
    if (periodMs === undefined) return undefined;
    const longest = Math.min(DAY_MS, periodMs * DELAYS_OF_PERIOD);
    const maxDelayMs = has('maxDelay') ? duration('maxDelay', periodMs, DAY_MS) : longest;
    return maxDelayMs === undefined ? undefined : { periodMs, maxDelayMs, ...key() };
  });
  const batch = from.limit('batch', ['max', 'period', 'key'], ({ count, duration, key }) => {
    const [max, periodMs] = [count(2), duration('period', SECOND_MS, HOUR_MS)];
    return max === undefined || periodMs === undefined ? undefined : { max, periodMs, ...key() };
  });
  if (given.debounce !== undefined && given.batch !== undefined)
    report('starts are either debounced or batched, not both', 'batch');
  const priority = from.priority();
  const retentionMs = from.duration(given, [], 'retention', HOUR_MS, MAX_RETENTION_MS);
  if (retentionMs !== undefined && throttle !== undefined && retentionMs < throttle.periodMs)
    report('executions are counted for `throttle`: they are kept at least as long as its period', 'retention');
  const afterMs = durationMs(get(get(definition, 'schedule'), 'after'));
  if (retentionMs !== undefined && afterMs !== undefined && retentionMs <= afterMs)
    report('`schedule.after` counts from the last execution: executions are kept longer than that', 'retention');
  const known = { concurrency, throttle, debounce, batch, priority, retentionMs };
  const limits = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { limits: limits as DeclaredLimits, problems };
}

type Report = (message: string, ...path: string[]) => undefined;

interface LimitReader {
  count(min: number): number | undefined;
  duration(name: string, minMs: number, maxMs: number): number | undefined;
  has(name: string): boolean;
  key(): { readonly key?: string };
}

function createReader(given: JsonObject, report: Report) {
  const known = ['concurrency', 'throttle', 'debounce', 'batch', 'priority', 'retention'];
  for (const name of Object.keys(given))
    if (!known.includes(name)) report(`${listed(known)} are known, not \`${name}\``, name);

  function duration(
    of: JsonObject,
    path: readonly string[],
    name: string,
    minMs: number,
    maxMs: number,
  ): number | undefined {
    const value = of[name];
    if (value === undefined && path.length === 0) return undefined;
    const ms = durationMs(value);
    if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
    return report(`must be a duration from ${inWords(minMs)} to ${inWords(maxMs)}`, ...path, name);
  }

  function expression(value: JsonValue, ...path: string[]): string | undefined {
    if (typeof value !== 'string' || value.trim() === '') return report('must be a jq expression', ...path);
    const other = variablesOf(bareExpression(value)).find((name) => name !== 'input');
    if (other === undefined) return value;
    return report(`the expression is evaluated before the execution starts: it has no $${other}`, ...path);
  }

  return {
    duration,
    limit<T>(name: string, fields: readonly string[], parse: (reader: LimitReader) => T | undefined): T | undefined {
      const limit = given[name];
      if (limit === undefined) return undefined;
      if (!isObject(limit)) return report(`must be an object with ${listed(fields)}`, name);
      for (const field of Object.keys(limit))
        if (!fields.includes(field)) report(`${listed(fields)} are known, not \`${field}\``, name, field);
      return parse({
        count(min) {
          const { max } = limit;
          if (typeof max === 'number' && Number.isInteger(max) && max >= min && max <= MAX_COUNT) return max;
          return report(`must be a whole number from ${min} to ${MAX_COUNT}`, name, 'max');
        },
        duration: (field, minMs, maxMs) => duration(limit, [name], field, minMs, maxMs),
        has: (field) => limit[field] !== undefined,
        key() {
          const key = limit.key === undefined ? undefined : expression(limit.key, name, 'key');
          return key === undefined ? {} : { key };
        },
      });
    },
    priority(): number | string | undefined {
      const { priority } = given;
      if (priority === undefined) return undefined;
      if (typeof priority === 'string') return expression(priority, 'priority');
      if (typeof priority === 'number' && Number.isInteger(priority) && Math.abs(priority) <= MAX_PRIORITY)
        return priority;
      return report(`must be a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY} or an expression`, 'priority');
    },
  };
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

function inWords(ms: number): string {
  const [size, unit] =
    ms % DAY_MS === 0 ? [DAY_MS, 'day'] : ms % HOUR_MS === 0 ? [HOUR_MS, 'hour'] : [SECOND_MS, 'second'];
  const amount = ms / size;
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
