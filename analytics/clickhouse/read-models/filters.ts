import type { Instant } from '#schemas/events/accepted.ts';

/** What lists can be narrowed by. All given must hold. Which of them a list knows, it says itself. */
export interface Filters {
  /** From this instant on: of an event or dead letter when it occurred or came, of a detection its latest evidence. */
  readonly from?: Instant;
  /** Before this instant. */
  readonly to?: Instant;
  readonly type?: string;
  readonly hostname?: string;
  readonly procname?: string;
  readonly file?: string;
  readonly register?: string;
  readonly executable?: string;
  /** Executable of the parent process, or its name. */
  readonly parent?: string;
  readonly unit?: string;
  /** Id of a container. */
  readonly container?: string;
  /** Uid of a Kubernetes pod. */
  readonly pod?: string;
  readonly rule?: string;
  readonly severity?: string;
  readonly status?: string;
  /** Id of a detection: itself, or the events of its host and program within its time. */
  readonly detection?: string;
  /** Of a dead letter: why it was refused. */
  readonly code?: string;
  /** Of a dead letter: the topic it came from. */
  readonly topic?: string;
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

/** Column that must equal the filter's value. */
export const equals =
  (column: string, name: FilterName) =>
  (value: unknown): Condition => ({
    sql: `${column} = {${name}:String}`,
    params: { [name]: value },
  });

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
