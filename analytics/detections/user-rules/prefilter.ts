import type { Comparison, Expression, Test } from './comparison.ts';
import { folded } from './comparison.ts';
import type { EventField } from './event-fields.ts';
import { re2Text } from './linear-regex.ts';
import type { UserRule } from './user-rule.ts';

/** Larger expressions are not passed to ClickHouse, because its engine limits the size of repetitions. */
const MAX_RE2_STATES = 300;
/** A string of at most this many bytes has at most `MAX_COMPARED_TEXT` characters in any encoding. */
const SURELY_SHORT = 1_000;

/**
 * Returns an SQL condition on the table `events`. It holds for every event that a selection of the rule matches, and
 * for few others. What the columns cannot decide counts as a match, and `engine.ts` judges the remaining events.
 */
export function ruleWhere(rule: UserRule): string {
  return any(rule.selections.map((_, i) => selectionWhere(rule, i)));
}

/** The same for one selection. */
export function selectionWhere(rule: UserRule, index: number): string {
  const selection = rule.selections[index];
  if (selection === undefined || selection.types.length === 0) return '0';
  const types = selection.types.map(literal).join(', ');
  return `(type IN (${types}) AND ${mayBe(selection.expression, true)})`;
}

/** Returns true if the rule uses a field that is no column, so that whole events are needed. */
export function needsWholeEvents(rule: UserRule): boolean {
  const { valueField } = rule.correlation;
  return (
    valueField?.column === null ||
    rule.selections.some(({ expression }) => fieldsOf(expression).some(({ column }) => column === null))
  );
}

/**
 * SQL of the groups of a counting rule. Evidence within a timespan lies in at most two adjacent time slices, because
 * each slice is a timespan long.
 */
export interface CountedGroups {
  /** Hash of each of the group's values. */
  readonly hashes: readonly string[];
  /**
   * Hash of all of them. Two groups with the same hash are counted together, which only leaves more events to judge.
   */
  readonly group: string;
  /** Number of the time slice. */
  readonly slice: string;
  /**
   * Number of the part of a time slice; each slice has `parts`. A timespan lies in at most `parts` + 1 consecutive
   * ones.
   */
  readonly part: string;
  readonly parts: number;
  /** Aggregate: upper bound of what the rule counts in a slice or part. */
  readonly found: string;
  /** Minimum count in two adjacent slices at which the rule can fire. */
  readonly need: number;
}

/** Parts per slice, for rules that count events. More parts mean fewer judged events that cannot fire. */
const PARTS = 6;

/** Undefined for rules that fire on every event, and for rules that group by different columns in each selection. */
export function countedGroups(rule: UserRule): CountedGroups | undefined {
  const { type, need, timespan, valueField, groupBy } = rule.correlation;
  const [columns] = groupBy;
  const sameColumns = groupBy.every((fields) => fields.every(({ name }, i) => name === columns?.[i]?.name));
  if (columns === undefined || type === 'single' || need < 2 || !sameColumns) return undefined;
  // A value that is distinct in each of two parts may be the same in both. Several parts would then count it several
  // times.
  const parts = type === 'event_count' ? PARTS : 1;
  const width = Math.ceil((timespan * 1_000 + 1) / parts);
  // The hash of a single column is computed once per dictionary value. The hash of several columns would be computed
  // for each row.
  const hashes = columns.map(({ column }) => `ifNull(cityHash64(${column}), 1)`);
  return {
    hashes,
    group: `(${hashes.map((hash, i) => `${hash} * ${2 * i + 3}`).join(' + ')})`,
    slice: `intDiv(toUnixTimestamp64Milli(timestamp), ${width * parts})`,
    part: `intDiv(toUnixTimestamp64Milli(timestamp), ${width})`,
    parts,
    found: countOf(rule, type === 'value_count' ? valueField : undefined),
    need,
  };
}

function countOf(rule: UserRule, valueField: EventField | undefined): string {
  if (rule.correlation.type.startsWith('temporal'))
    return rule.selections.map((_, i) => `toUInt64(countIf(${selectionWhere(rule, i)}) > 0)`).join(' + ');
  return typeof valueField?.column === 'string' ? `uniqExact(${valueField.column})` : 'count()';
}

/** Returns the fields that an expression uses. */
export function fieldsOf(expression: Expression): EventField[] {
  if (expression.kind === 'compare') return [expression.comparison.field];
  return expression.kind === 'not' ? fieldsOf(expression.of) : expression.of.flatMap(fieldsOf);
}

/** Returns an SQL condition that holds whenever the expression may have this truth value. */
function mayBe(expression: Expression, wanted: boolean): string {
  if (expression.kind === 'not') return mayBe(expression.of, !wanted);
  if (expression.kind === 'compare') return mayCompare(expression.comparison, wanted);
  const parts = expression.of.map((part) => mayBe(part, wanted));
  return (expression.kind === 'and') === wanted ? every(parts) : any(parts);
}

const every = (parts: readonly string[]): string => `(${parts.join(' AND ')})`;
const any = (parts: readonly string[]): string => `(${parts.join(' OR ')})`;

function mayCompare({ field, tests, all }: Comparison, wanted: boolean): string {
  const { column } = field;
  if (column === null || tests.some((test) => test.op === 'regex' && test.states > MAX_RE2_STATES)) return '1';
  const parts = testsSql(column, tests);
  const exact = all ? every(parts) : any(parts);
  const truth = wanted ? exact : `NOT ${exact}`;
  const doubts = doubtsAbout(column, tests);
  return doubts.length === 0 ? truth : any([truth, ...doubts]);
}

/**
 * Returns conditions for strings on which ClickHouse and the engine may differ: those too long, or with non-ASCII
 * letters.
 */
function doubtsAbout(column: string, tests: readonly Test[]): string[] {
  const isCut = tests.some(({ op }) => op === 'endswith' || op === 'contains' || op === 'regex');
  const isRegex = tests.some(({ op }) => op === 'regex');
  return [
    ...(isCut ? [`ifNull(length(${column}), 0) > ${SURELY_SHORT}`] : []),
    ...(isRegex ? [`ifNull(length(${column}) != lengthUTF8(${column}), 0)`] : []),
  ];
}

/** Returns each test as SQL that is 0 or 1. Whole strings with the same case rule are combined. */
function testsSql(column: string, tests: readonly Test[]): string[] {
  return tests.map((test): string => {
    switch (test.op) {
      case 'null':
        return `isNull(${column})`;
      case 'exists':
        return `isNotNull(${column})`;
      case 'boolean':
        return '1';
      case 'number':
        return `ifNull(${column} ${test.sign} ${test.value}, 0)`;
      case 'regex':
        return `ifNull(match(${column}, ${literal(re2Text(test.node))}), 0)`;
      default: {
        const value = test.cased ? column : `lower(${column})`;
        const text = literal(test.cased ? test.text : folded(test.text));
        if (test.op === 'equals') return `ifNull(${value} = ${text}, 0)`;
        if (test.op === 'startswith') return `ifNull(startsWith(${value}, ${text}), 0)`;
        return test.op === 'endswith'
          ? `ifNull(endsWith(${value}, ${text}), 0)`
          : `ifNull(position(${value}, ${text}) > 0, 0)`;
      }
    }
  });
}

/** Returns a string as an SQL literal, whatever it contains. */
function literal(text: string): string {
  return /^[\w.-]*$/.test(text) ? `'${text}'` : `unhex('${Buffer.from(text, 'utf8').toString('hex')}')`;
}
