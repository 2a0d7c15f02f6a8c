import type { Instant } from '#schemas/events/accepted.ts';

/** One value, or several of which a record has one. */
export type FilterValue = string | readonly string[];

/** Filters that take several values, and can exclude values. */
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

/** What lists can be narrowed by. All given must hold. Which of them a list knows, it says itself. `exclude.…`: records that have none of the values. */
export interface Filters extends Readonly<Partial<Record<ValueFilter | ExcludeName, FilterValue>>> {
  /** From this instant on: of an event or dead letter when it occurred or came, of a detection its latest evidence. */
  readonly from?: Instant;
  /** Before this instant. */
  readonly to?: Instant;
  /** Id of a detection: itself, or the events of its host and program within its time. */
  readonly detection?: string;
  /** Of a dead letter: why it was refused. */
  readonly code?: FilterValue;
  /** Of a dead letter: the topic it came from. */
  readonly topic?: FilterValue;
  /** A search: see `analytics/search/README.md`. */
  readonly q?: string;
}
export type FilterName = keyof Filters;

/** A part of a WHERE clause with the values of its places. */
export interface Condition {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Few rows hold it, or its column is small: it is to be read before all others, in the order of the filters. Of tables only. */
  readonly first?: boolean;
  /** It asks for what analysts decided about a detection, which stands in another table than the detection. */
  readonly decided?: boolean;
}

/**
 * Query parameters of several fragments of one statement.
 * @throws TypeError when two fragments use one name for different values: the statement would be executed with the wrong one.
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

/** How a list is narrowed by each filter it knows. */
export type FilterConditions = { readonly [Name in FilterName]?: (value: unknown) => Condition };

/** The conditions of the filters that are given and known. */
export function conditionsOf(known: FilterConditions, filters: Filters): Condition[] {
  return (Object.keys(known) as FilterName[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [(known[name] as (value: unknown) => Condition)(value)];
  });
}

/** Column that must equal the filter's value, or one of its values. */
export const equals =
  (column: string, name: FilterName) =>
  (value: unknown): Condition => {
    const values = [value].flat();
    return values.length === 1
      ? { sql: `${column} = {${name}:String}`, params: { [name]: values[0] } }
      : { sql: `${column} IN {${name}:Array(String)}`, params: { [name]: values } };
  };

/** The value of a filter that stands for records without any. */
export const NO_VALUE = 'null';

/** As `equals`, of a column that can be null, which `NO_VALUE` stands for. */
export const equalsOrNull =
  (column: string, name: FilterName) =>
  (value: unknown): Condition => {
    const values = [value].flat();
    const { sql, params } = equals(column, name)(values.filter((one) => one !== NO_VALUE));
    return values.includes(NO_VALUE) ? { sql: `(${column} IS NULL OR ${sql})`, params } : { sql, params };
  };

/** What `condition` does not hold for, under parameters of other names. Null is no value, so records without any are left in. */
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

/** Conditions by these filters and, as `exclude.…`, by what they do not hold for. */
export function withExclusions(conditions: Readonly<Partial<Record<ValueFilter, (value: unknown) => Condition>>>) {
  const all = Object.entries(conditions).flatMap(([name, condition]) => [
    [name, condition],
    [`exclude.${name}`, excludes(condition)],
  ]);
  return Object.fromEntries(all) as FilterConditions;
}

/** Comparison of a DateTime64 column with an instant. */
export const compares =
  (column: string, operator: '>=' | '<', name: FilterName) =>
  (value: unknown): Condition => ({
    sql: `${column} ${operator} fromUnixTimestamp64Nano({${name}:Int64}, 'UTC')`,
    params: { [name]: nanosText(value as Instant) },
  });

/** Nanoseconds since the epoch as digits. */
export function nanosText({ seconds, nanos }: Instant): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanos));
}
