import type { Instant } from '#schemas/events/accepted.ts';

/** One value, or several of which a record must have one. */
export type FilterValue = string | readonly string[];

/** Filters that accept several values and can exclude values. */
export const VALUE_FILTERS = [
  'type',
  'hostname',
  'procname',
  'file',
  'register',
  'executable',
  'parent',
  'unit',
  'container',
  'pod',
  'rule',
  'campaign',
  'severity',
  'status',
  'verdict',
  'assignee',
] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];
type ExcludeName = `exclude.${ValueFilter}`;

/**
 * Filters of lists. A record must match all given filters. Each list defines which filters it supports. `exclude.…`:
 * the record must have none of the values.
 */
export interface Filters extends Readonly<Partial<Record<ValueFilter | ExcludeName, FilterValue>>> {
  /**
   * From this instant on (inclusive): time of an event, time of receipt of a dead letter, latest evidence of a
   * detection.
   */
  readonly from?: Instant;
  /** Before this instant (exclusive). */
  readonly to?: Instant;
  /** Id of a detection. Selects the detection itself, or the events of its host and program during its time. */
  readonly detection?: string;
  /** Rejection code of a dead letter. */
  readonly code?: FilterValue;
  /** Topic of a dead letter. */
  readonly topic?: FilterValue;
  /** A search: see `analytics/search/README.md`. */
  readonly q?: string;
}
export type FilterName = keyof Filters;

/** A part of a WHERE clause with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * True if few rows match or the column is small: the condition is then evaluated before all others, in the order of
   * the filters. For tables only.
   */
  readonly first?: boolean;
  /** True if the condition uses decisions of analysts, which are stored in another table than the detections. */
  readonly decided?: boolean;
}

/**
 * Merges the query parameters of several fragments of one statement. @throws TypeError if two fragments use one name
 * for different values, because the statement would run with the wrong one.
 */
export function mergeParams(...fragments: readonly Condition['params'][]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const [name, value] of fragments.flatMap(Object.entries)) {
    if (Object.hasOwn(merged, name) && merged[name] !== value)
      throw new TypeError(`query parameter {${name}} has two values: rename it in one of the SQL fragments`);
    merged[name] = value;
  }
  return merged;
}

/** Conditions by filter name, for the filters that a list supports. */
export type FilterConditions = { readonly [Name in FilterName]?: (value: unknown) => Condition };

/** Returns the conditions of the filters that are given and supported. */
export function conditionsOf(known: FilterConditions, filters: Filters): Condition[] {
  return (Object.keys(known) as FilterName[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [(known[name] as (value: unknown) => Condition)(value)];
  });
}

/** The column must equal the filter's value, or one of its values. */
export const equals =
  (column: string, name: FilterName) =>
  (value: unknown): Condition => {
    const values = [value].flat();
    return values.length === 1
      ? { sql: `${column} = {${name}:String}`, params: { [name]: values[0] } }
      : { sql: `${column} IN {${name}:Array(String)}`, params: { [name]: values } };
  };

/** Filter value that stands for records without a value. */
export const NO_VALUE = 'null';

/** Like `equals`, for a nullable column. `NO_VALUE` matches null. */
export const equalsOrNull =
  (column: string, name: FilterName) =>
  (value: unknown): Condition => {
    const values = [value].flat();
    const { sql, params } = equals(column, name)(values.filter((one) => one !== NO_VALUE));
    return values.includes(NO_VALUE) ? { sql: `(${column} IS NULL OR ${sql})`, params } : { sql, params };
  };

/** Negates `condition`, with renamed parameters. Records whose column is null match. */
export const excludes =
  (condition: (value: unknown) => Condition) =>
  (value: unknown): Condition => {
    const { sql, params, ...rest } = condition(value);
    const renamed = sql.replaceAll(/\{(\w+):/g, '{not_$1:');
    return {
      ...rest,
      sql: `NOT ifNull(${renamed}, false)`,
      params: Object.fromEntries(Object.entries(params).map(([name, one]) => [`not_${name}`, one])),
    };
  };

/** Returns conditions for these filters and for their `exclude.…` variants. */
export function withExclusions(conditions: Readonly<Partial<Record<ValueFilter, (value: unknown) => Condition>>>) {
  const all = Object.entries(conditions).flatMap(([name, condition]) => [
    [name, condition],
    [`exclude.${name}`, excludes(condition)],
  ]);
  return Object.fromEntries(all) as FilterConditions;
}

/** Compares a DateTime64 column with an instant. */
export const compares =
  (column: string, operator: '>=' | '<', name: FilterName) =>
  (value: unknown): Condition => ({
    sql: `${column} ${operator} fromUnixTimestamp64Nano({${name}:Int64}, 'UTC')`,
    params: { [name]: nanosText(value as Instant) },
  });

/** Returns nanoseconds since the epoch as digits. */
export function nanosText({ seconds, nanos }: Instant): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanos));
}
