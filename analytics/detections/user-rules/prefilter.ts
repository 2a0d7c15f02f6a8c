import type { Comparison, Expression, Test } from './comparison.ts';
import { folded } from './comparison.ts';
import type { EventField } from './event-fields.ts';
import { re2Text } from './linear-regex.ts';
import type { UserRule } from './user-rule.ts';

/** A larger expression is not given to ClickHouse, whose engine bounds the size of repetitions. */
const MAX_RE2_STATES = 300;
/** Bytes: below `MAX_COMPARED_TEXT` characters in any alphabet. */
const SURELY_SHORT = 1_000;

/**
 * SQL over the table `events` that holds for every event that a selection of the rule matches, and for few others. What the columns cannot decide counts
 * as a match: `engine.ts` judges the events that remain.
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

/** Whether the rule asks for a field that is no column, so that the whole events are needed. */
export function needsWholeEvents(rule: UserRule): boolean {
  const { valueField } = rule.correlation;
  return (
    valueField?.column === null ||
    rule.selections.some(({ expression }) => fieldsOf(expression).some(({ column }) => column === null))
  );
}

/**
 * SQL of the groups of a rule that counts. A rule fires on evidence within a timespan, which lies in two neighbouring time slices, as each slice
 * is a timespan long.
 */
export interface CountedGroups {
  /** A hash of each of the group's values. */
  readonly hashes: readonly string[];
  /** A hash of them all. Two groups with the same hash count together, which only leaves more events to the rule. */
  readonly group: string;
  /** Number of the time slice. */
  readonly slice: string;
  /** Number of the part of a time slice; each slice has `parts`. A timespan lies in `parts` + 1 consecutive ones. */
  readonly part: string;
  readonly parts: number;
  /** Aggregate: what a slice or part has of that which the rule counts, or more. */
  readonly found: string;
  /** So much in two neighbouring slices can fire. */
  readonly need: number;
}

/** Of rules that count events: the more parts, the fewer events without a chance are judged. */
const PARTS = 6;

/** Undefined for rules that fire on every event, and for those whose groups are of different columns in each selection. */
export function countedGroups(rule: UserRule): CountedGroups | undefined {
  const { type, need, timespan, valueField, groupBy } = rule.correlation;
  const [columns] = groupBy;
  const sameColumns = groupBy.every((fields) => fields.every(({ name }, i) => name === columns?.[i]?.name));
  if (columns === undefined || type === 'single' || need < 2 || !sameColumns) return undefined;
  // What is distinct in each of two parts may be the same in both, so that many parts would count it many times.
  const parts = type === 'event_count' ? PARTS : 1;
  const width = Math.ceil((timespan * 1_000 + 1) / parts);
  // Hashes of single columns are computed once for each value of a dictionary, those of several columns for each row.
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

/** Fields that an expression names. */
export function fieldsOf(expression: Expression): EventField[] {
  if (expression.kind === 'compare') return [expression.comparison.field];
  return expression.kind === 'not' ? fieldsOf(expression.of) : expression.of.flatMap(fieldsOf);
}

/** SQL that holds wherever the expression may have this truth value. */
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

/** Where the text of an event is so long, or of such letters, that ClickHouse and the engine may differ. */
function doubtsAbout(column: string, tests: readonly Test[]): string[] {
  const isCut = tests.some(({ op }) => op === 'endswith' || op === 'contains' || op === 'regex');
  const isRegex = tests.some(({ op }) => op === 'regex');
  return [
    ...(isCut ? [`ifNull(length(${column}), 0) > ${SURELY_SHORT}`] : []),
    ...(isRegex ? [`ifNull(length(${column}) != lengthUTF8(${column}), 0)`] : []),
  ];
}

/** Each test as SQL that is 0 or 1; whole texts of one case rule together. */
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

/** A text as SQL, whatever it contains. */
function literal(text: string): string {
  return /^[\w.-]*$/.test(text) ? `'${text}'` : `unhex('${Buffer.from(text, 'utf8').toString('hex')}')`;
}
