import { RE2JS, RE2JSException, RE2Set } from 're2js';
import { MAX_COMPARED_TEXT } from './limits.ts';

/** A regular expression as a tree. `null` in a set matches the empty string. */
export type RegexNode =
  | {
      readonly kind: 'set';
      readonly ranges: readonly (readonly [low: number, high: number])[];
      readonly negated: boolean;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'either'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' };

/** A compiled expression. */
export interface LinearRegex {
  /**
   * Returns true if the expression matches anywhere in the text. The time is at most proportional to states ×
   * characters.
   */
  test(text: string): boolean;
  readonly states: number;
}

/** Maximum memory of the states of one expression, bytes. Beyond it, re2js discards them and continues. */
const MAX_STATE_BYTES = 262_144;

/**
 * Compiles a tree. re2js follows all states in parallel, like RE2 in ClickHouse, so no input takes exponential time.
 * Only a set of expressions has a memory limit in re2js, so a set with one expression is used. Attackers choose names
 * and could otherwise fill the memory.
 */
export function compileRegex(root: RegexNode, maxStates: number): LinearRegex {
  const text = re2Text(root);
  const states = statesOf(text);
  if (states > maxStates) throw new RangeError(`needs more than ${maxStates} states`);
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_STATE_BYTES);
  set.add(text);
  set.compile();
  return { test: (value) => set.match(value.slice(0, MAX_COMPARED_TEXT)).length > 0, states };
}

/** Compiles an RE2 expression. Throws if it is invalid or needs more states. */
export function compileText(pattern: string, maxStates: number): Pick<LinearRegex, 'test'> {
  const compiled = RE2JS.compile(pattern);
  if (compiled.programSize() > maxStates) throw new RangeError(`needs more than ${maxStates} states`);
  return { test: (text) => compiled.matcher(text).find() };
}

/**
 * Returns the number of states. Infinity if re2js rejects the expression, which happens here only for repetitions with
 * too many states.
 */
function statesOf(text: string): number {
  try {
    return RE2JS.compile(text).programSize();
  } catch (error) {
    if (error instanceof RE2JSException) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Returns the expression in RE2 syntax, which re2js and ClickHouse run. */
export function re2Text(node: RegexNode): string {
  switch (node.kind) {
    case 'start':
      return '\\A';
    case 'end':
      return '\\z';
    case 'sequence':
      return node.parts.map(re2Text).join('');
    case 'either':
      return `(?:${node.parts.map(re2Text).join('|')})`;
    case 'repeat':
      return `(?:${re2Text(node.part)}){${node.min},${node.max === Number.POSITIVE_INFINITY ? '' : node.max}}`;
    case 'set':
      return setText(node);
  }
}

const ANYTHING = '(?s:.)';

function setText({ ranges, negated }: RegexNode & { kind: 'set' }): string {
  if (ranges.length === 0) return negated ? ANYTHING : `[^\\x{0}-\\x{10ffff}]`;
  const [first] = ranges;
  if (!negated && ranges.length === 1 && first !== undefined && first[0] === first[1]) return escaped(first[0]);
  return `[${negated ? '^' : ''}${ranges.map(([low, high]) => `${escaped(low)}-${escaped(high)}`).join('')}]`;
}

function escaped(code: number): string {
  const letter = String.fromCodePoint(code);
  return /[A-Za-z0-9]/.test(letter) ? letter : `\\x{${code.toString(16)}}`;
}
