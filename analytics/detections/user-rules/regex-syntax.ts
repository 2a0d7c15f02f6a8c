import type { RegexNode } from './linear-regex.ts';

const MAX_REPEAT = 200;
const MAX_DEPTH = 32;
const BACKSLASH = 92;
const SPECIAL = new Set('\\^$.|?*+()[]{}');

/**
 * Parses the regular expressions that Sigma allows: `.`, classes, groups, alternation, quantifiers, `^` and `$`, and an
 * escaped special character. Throws a `SyntaxError` that names the unsupported part. Long: its functions share the
 * position in the text.
 */
export function parseRegex(source: string, { ignoreCase }: { readonly ignoreCase: boolean }): RegexNode {
  let at = 0;
  let depth = 0;

  function alternatives(): RegexNode {
    depth += 1;
    if (depth > MAX_DEPTH) throw new SyntaxError(`groups are nested deeper than ${MAX_DEPTH} levels`);
    const parts = [sequence()];
    while (source[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    depth -= 1;
    return parts.length === 1 ? (parts[0] as RegexNode) : { kind: 'either', parts };
  }

  function sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified());
    return { kind: 'sequence', parts };
  }

  function quantified(): RegexNode {
    const part = atom();
    const bounds = quantifier();
    if (bounds === undefined) return part;
    if (part.kind === 'start' || part.kind === 'end') throw new SyntaxError('an anchor cannot be repeated');
    if (quantifier() !== undefined) throw new SyntaxError('lazy, possessive and doubled quantifiers are not supported');
    return { kind: 'repeat', part, min: bounds[0], max: bounds[1] };
  }

  function quantifier(): readonly [number, number] | undefined {
    const sign = source[at];
    if (sign === '*' || sign === '+' || sign === '?') {
      at += 1;
      return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
    }
    if (sign !== '{') return undefined;
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(source.slice(at, at + 16));
    if (found === null) throw new SyntaxError('`{` must begin {n}, {n,} or {n,m}, or be escaped');
    at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > max || min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT))
      throw new SyntaxError(`{${min},${max}} must rise and be at most ${MAX_REPEAT}`);
    return [min, max];
  }

  function atom(): RegexNode {
    const sign = source[at] as string;
    at += 1;
    if (sign === '^') return { kind: 'start' };
    if (sign === '$') return { kind: 'end' };
    if (sign === '.') return { kind: 'set', ranges: [[10, 10]], negated: true };
    if (sign === '[') return characterClass();
    if (sign === '\\') return literal(escapedCode());
    if (sign === '(') {
      if (source[at] === '?') throw new SyntaxError('groups with `(?` are not supported');
      const inner = alternatives();
      if (source[at] !== ')') throw new SyntaxError('a group is not closed');
      at += 1;
      return inner;
    }
    if (SPECIAL.has(sign)) throw new SyntaxError(`\`${sign}\` stands where a character is expected`);
    at -= 1;
    return literal(nextCode());
  }

  /** Returns the next character, which may be two code units. */
  function nextCode(): number {
    const code = source.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    return code;
  }

  function escapedCode(): number {
    const next = source[at];
    if (next === undefined) throw new SyntaxError('the expression ends in a backslash');
    if (/[A-Za-z0-9]/.test(next)) throw new SyntaxError(`\`\\${next}\` is not supported: write a class such as [0-9]`);
    return nextCode();
  }

  function characterClass(): RegexNode {
    const negated = source[at] === '^';
    if (negated) at += 1;
    const ranges: (readonly [number, number])[] = [];
    const begin = at;
    for (;;) {
      const sign = source[at];
      if (sign === undefined) throw new SyntaxError('a class is not closed');
      if (sign === ']' && at > begin) break;
      const low = member();
      const isRange = source[at] === '-' && source[at + 1] !== ']' && source[at + 1] !== undefined;
      if (isRange) at += 1;
      const high = isRange ? member() : low;
      if (high < low) throw new SyntaxError('a range of a class must rise');
      ranges.push([low, high]);
    }
    at += 1;
    return { kind: 'set', ranges: ignoreCase ? ranges.flatMap(bothCases) : ranges, negated };
  }

  function member(): number {
    if (source.startsWith('[:', at)) throw new SyntaxError('named classes are not supported');
    const code = nextCode();
    return code === BACKSLASH ? escapedCode() : code;
  }

  const literal = (code: number): RegexNode => characterNode(code, ignoreCase);

  const root = alternatives();
  if (at < source.length) throw new SyntaxError('`)` without its `(`');
  return root;
}

/** Returns a node for one character, in both cases if `ignoreCase` is true. */
export function characterNode(code: number, ignoreCase: boolean): RegexNode {
  return { kind: 'set', ranges: ignoreCase ? bothCases([code, code]) : [[code, code]], negated: false };
}

/** Returns the range, and the ASCII letters of the other case. */
function bothCases([low, high]: readonly [number, number]): (readonly [number, number])[] {
  const cut = (from: number, to: number, shift: number): (readonly [number, number])[] => {
    const [a, b] = [Math.max(low, from), Math.min(high, to)];
    return a <= b ? [[a + shift, b + shift]] : [];
  };
  return [[low, high], ...cut(65, 90, 32), ...cut(97, 122, -32)];
}
