import type { Comparison, Expression, Test } from './comparison.ts';
import { FIELD_NAMES, fieldByName } from './event-fields.ts';
import { MAX_COMPARED_VALUES, MAX_REGEX_STATES, MAX_VALUE } from './limits.ts';
import { compileRegex, type RegexNode } from './linear-regex.ts';
import { describe, items } from './located-values.ts';
import { type Entry, type Located, refuse } from './located-yaml.ts';
import { characterNode, parseRegex } from './regex-syntax.ts';

/** Number of values that the rule may still compare with. All selections of a file share it. */
export interface ComparisonBudget {
  values: number;
  states: number;
}

export function newBudget(): ComparisonBudget {
  return { values: MAX_COMPARED_VALUES, states: MAX_REGEX_STATES };
}

const UNSUPPORTED: Readonly<Record<string, string>> = {
  base64: 'events have no encoded fields',
  base64offset: 'events have no encoded fields',
  utf16: 'events have no encoded fields',
  utf16le: 'events have no encoded fields',
  utf16be: 'events have no encoded fields',
  wide: 'events have no encoded fields',
  windash: 'events have no command lines',
  cidr: 'events have no IP addresses',
  expand: 'placeholders are not supported: write the values out',
  fieldref: 'fields cannot be compared with each other',
  m: 'expressions match within one line',
  s: 'expressions match within one line',
};
const TEXT_MODIFIERS = ['contains', 'startswith', 'endswith', 're', 'i', 'cased'];
const NUMBER_SIGNS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
const KNOWN = [...TEXT_MODIFIERS, ...Object.keys(NUMBER_SIGNS), 'all', 'exists', 'neq'];

/**
 * Parses a search identifier: a mapping of fields that must all match, or a list of such mappings of which one must
 * match. Throws `RefusedRule`.
 */
export function readSelection(at: Located, budget: ComparisonBudget): Expression {
  const parts = items(at).map((part): Expression => {
    if (!(part.value instanceof Map))
      refuse(part, 'texts without a field are not supported, as events have no message: name a field');
    const map = part.value as ReadonlyMap<string, Entry>;
    if (map.size === 0) refuse(part, 'an empty mapping selects nothing');
    return { kind: 'and', of: [...map].map(([key, entry]) => readField(key, entry, budget)) };
  });
  if (parts.length === 0) refuse(at, 'an empty list selects nothing');
  return parts.length === 1 ? (parts[0] as Expression) : { kind: 'or', of: parts };
}

function readField(key: string, entry: Entry, budget: ComparisonBudget): Expression {
  const [name = '', ...modifiers] = key.split('|');
  const field = fieldByName(name);
  if (field === undefined)
    refuse(entry, `there is no field ${JSON.stringify(name.slice(0, 60))}: fields are ${FIELD_NAMES.join(', ')}`);
  for (const modifier of modifiers) {
    const reason = UNSUPPORTED[modifier];
    if (reason !== undefined) refuse(entry, `the modifier ${modifier} is not supported: ${reason}`);
    if (!KNOWN.includes(modifier))
      refuse(
        entry,
        `the modifier ${JSON.stringify(modifier.slice(0, 60))} is not supported: known are ${KNOWN.join(', ')}`,
      );
    if (TEXT_MODIFIERS.includes(modifier) && field.kind !== 'text')
      refuse(entry, `the modifier ${modifier} applies to texts, and ${name} is a ${field.kind}`);
    if (modifier in NUMBER_SIGNS && field.kind !== 'number')
      refuse(entry, `the modifier ${modifier} applies to numbers, and ${name} is a ${field.kind}`);
  }
  checkTogether(modifiers, entry);
  const values = items(entry.value);
  if (values.length === 0) refuse(entry, 'an empty list matches nothing');
  budget.values -= values.length;
  if (budget.values < 0) refuse(entry, `the file compares with more than ${MAX_COMPARED_VALUES} values`);
  if (modifiers.includes('all') && values.length < 2) refuse(entry, 'the modifier all needs a list of several values');
  if (modifiers.includes('exists')) return existence({ field, tests: [{ op: 'exists' }], all: false }, entry);
  const tests = values.map((value) => readTest(field, modifiers, value, budget));
  const compare: Expression = { kind: 'compare', comparison: { field, tests, all: modifiers.includes('all') } };
  return modifiers.includes('neq') ? { kind: 'not', of: compare } : compare;
}

/** Rejects modifiers that contradict each other. */
function checkTogether(modifiers: readonly string[], entry: Entry): void {
  const ways = modifiers.filter((one) =>
    ['contains', 'startswith', 'endswith', 're', 'exists', ...Object.keys(NUMBER_SIGNS)].includes(one),
  );
  if (ways.length > 1) refuse(entry, `the modifiers ${ways.join(' and ')} exclude each other`);
  if (modifiers.includes('i') && !modifiers.includes('re')) refuse(entry, 'the modifier i belongs to re');
  if (modifiers.includes('cased') && modifiers.includes('re'))
    refuse(entry, 'expressions are case-sensitive without cased');
  if (modifiers.includes('exists') && modifiers.length > 1) refuse(entry, 'the modifier exists stands alone');
}

function existence(comparison: Comparison, { value }: Entry): Expression {
  if (typeof value.value !== 'boolean') refuse(value, `exists takes true or false (got ${describe(value)})`);
  const compare: Expression = { kind: 'compare', comparison };
  return value.value === true ? compare : { kind: 'not', of: compare };
}

function readTest(
  { name, kind }: Comparison['field'],
  modifiers: readonly string[],
  at: Located,
  budget: ComparisonBudget,
): Test {
  if (at.value === null && modifiers.every((one) => one === 'neq')) return { op: 'null' };
  if (kind === 'number') {
    const sign = Object.entries(NUMBER_SIGNS).find(([modifier]) => modifiers.includes(modifier))?.[1] ?? '=';
    return { op: 'number', sign, value: wholeNumber(name, at) };
  }
  if (kind === 'boolean') {
    if (typeof at.value !== 'boolean') refuse(at, `${name} is true or false (got ${describe(at)})`);
    return { op: 'boolean', value: at.value as boolean };
  }
  const scalar = typeof at.value === 'number' || typeof at.value === 'bigint' ? String(at.value) : at.value;
  if (typeof scalar !== 'string') refuse(at, `${name} is a text (got ${describe(at)})`);
  const text = scalar as string;
  if (text.length > MAX_VALUE) refuse(at, `${text.length} characters, at most ${MAX_VALUE}`);
  const cased = modifiers.includes('cased');
  if (modifiers.includes('re'))
    return regexTest(at, budget, () => parseRegex(text, { ignoreCase: modifiers.includes('i') }));
  return textTest(text, modifiers, cased, (node) => regexTest(at, budget, () => node));
}

/** Parses an integer from 0 to 2^64 - 1: decimal, or hexadecimal after `0x`, as a number or a string. */
function wholeNumber(name: string, at: Located): bigint {
  const { value } = at;
  const isDigits = typeof value === 'string' && /^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(value);
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  const found = isDigits || isWhole ? BigInt(value as string | number | bigint) : -1n;
  if (found < 0n || found >= 2n ** 64n)
    refuse(at, `${name} is a whole number from 0 to 2^64 - 1, without wildcards (got ${describe(at)})`);
  return found;
}

function regexTest(at: Located, budget: ComparisonBudget, read: () => RegexNode): Test {
  try {
    const node = read();
    const { states } = compileRegex(node, Math.max(1, budget.states));
    budget.states -= states;
    return { op: 'regex', node, states };
  } catch (error) {
    if (error instanceof SyntaxError) refuse(at, error.message);
    if (error instanceof RangeError)
      refuse(at, `the expressions of the file need more than ${MAX_REGEX_STATES} states`);
    throw error;
  }
}

/** A wildcard: any string, or one character. */
interface Wildcard {
  readonly stands: 'any' | 'one';
}
const ANY: Wildcard = { stands: 'any' };
const ONE: Wildcard = { stands: 'one' };
type Token = string | Wildcard;

/**
 * Splits a Sigma string at its wildcards: `*` for any string, `?` for one character. `\` escapes a wildcard or itself.
 */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const signs = [...text];
  for (let i = 0; i < signs.length; i += 1) {
    const sign = signs[i] as string;
    if (sign === '\\' && /[*?\\]/.test(signs[i + 1] ?? '')) {
      tokens.push(signs[i + 1] as string);
      i += 1;
    } else tokens.push(sign === '*' ? ANY : sign === '?' ? ONE : sign);
  }
  return tokens;
}

/**
 * Returns the simplest test for a string. Wildcards at the ends become prefix or suffix searches, and inner wildcards
 * become a regular expression.
 */
function textTest(
  text: string,
  modifiers: readonly string[],
  cased: boolean,
  asRegex: (node: RegexNode) => Test,
): Test {
  const contains = modifiers.includes('contains');
  const tokens: Token[] = [
    ...(contains || modifiers.includes('endswith') ? [ANY] : []),
    ...tokensOf(text),
    ...(contains || modifiers.includes('startswith') ? [ANY] : []),
  ];
  let from = 0;
  let to = tokens.length;
  while (from < to && tokens[from] === ANY) from += 1;
  while (to > from && tokens[to - 1] === ANY) to -= 1;
  const inner = tokens.slice(from, to);
  const literal = inner.every((token) => typeof token === 'string');
  if (literal) {
    const [open, closed] = [from > 0, to < tokens.length];
    // `*` alone matches any string, but not a null field.
    const op =
      from === tokens.length && from > 0
        ? 'contains'
        : open
          ? closed
            ? 'contains'
            : 'endswith'
          : closed
            ? 'startswith'
            : 'equals';
    return { op, text: inner.join(''), cased };
  }
  const anything: RegexNode = { kind: 'set', ranges: [], negated: true };
  const parts = inner.map((token): RegexNode => {
    if (token === ANY) return { kind: 'repeat', part: anything, min: 0, max: Number.POSITIVE_INFINITY };
    return typeof token === 'string' ? characterNode(token.codePointAt(0) as number, !cased) : anything;
  });
  const anchored = [
    ...(from > 0 ? [] : [{ kind: 'start' } as const]),
    ...parts,
    ...(to < tokens.length ? [] : [{ kind: 'end' } as const]),
  ];
  return asRegex({ kind: 'sequence', parts: anchored });
}
