/**
 * A part of a regular expression with its quantifier: a character matcher (`atom`), a group, or an assertion (`^`,
 * `\b`).
 */
export interface Node {
  readonly atom?: string;
  readonly alternatives?: readonly Sequence[];
  readonly min: number;
  readonly max: number;
}
export type Sequence = readonly Node[];

export interface ParsedPattern {
  readonly alternatives: readonly Sequence[];
  /** True if it contains `\1` or `\k<name>`. */
  readonly refersBack: boolean;
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const GROUP_START = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?/y;
const BACK_REFERENCE = /\\(?:[1-9]|k)/y;
const POSITION = /\\[bB]|[\^$]/y;
const ATOM = /\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|[^\\[]/suy;

/** Parses a regular expression that compiles with the flag `u`. Returns undefined for unknown syntax. */
export function parsePattern(pattern: string): ParsedPattern | undefined {
  let at = 0;
  let refersBack = false;
  const take = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const match = token.exec(pattern);
    if (match !== null) at = token.lastIndex;
    return match;
  };

  function alternatives(): Sequence[] {
    const found: Node[][] = [[]];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at++;
        found.push([]);
        continue;
      }
      const node = part();
      if (node === undefined) break;
      found.at(-1)?.push({ ...node, ...quantifier() });
    }
    return found;
  }

  function part(): Pick<Node, 'atom' | 'alternatives'> | undefined {
    if (take(GROUP_START) !== null) {
      const inner = alternatives();
      at++;
      return { alternatives: inner };
    }
    if (take(BACK_REFERENCE) !== null) {
      refersBack = true;
      return {};
    }
    if (take(POSITION) !== null) return {};
    const atom = take(ATOM);
    return atom === null ? undefined : { atom: atom[0] };
  }

  function quantifier(): { readonly min: number; readonly max: number } {
    const match = take(QUANTIFIER);
    if (match === null) return { min: 1, max: 1 };
    const [, sign, from, comma, to] = match;
    if (sign === '?') return { min: 0, max: 1 };
    if (sign !== undefined) return { min: sign === '*' ? 0 : 1, max: Number.POSITIVE_INFINITY };
    const min = Number(from);
    if (comma === undefined) return { min, max: min };
    return { min, max: to === '' || to === undefined ? Number.POSITIVE_INFINITY : Number(to) };
  }

  const found = alternatives();
  return at === pattern.length ? { alternatives: found, refersBack } : undefined;
}

/** True if a part can match a varying number of times. */
export const isVariable = ({ min, max }: Node): boolean => min !== max;
