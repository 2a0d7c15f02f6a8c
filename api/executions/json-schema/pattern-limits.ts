import { isVariable, type Node, parsePattern, type Sequence } from './parse-pattern.ts';

const MAX_CHARACTERS = 1_000;
/** From this repetition count on, a group multiplies the choices inside it beyond any time limit. */
const MANY = 10;
/** Representative characters, for testing whether two classes overlap. */
const SAMPLE = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['\u00a0', 'é', 'ß', 'Ж', '中', '\u2028', '😀'],
];

/**
 * Returns why a regular expression of a definition is refused, or undefined. Refuses expressions whose time grows
 * exponentially with the text on a backtracking engine: back-references, and a repeated group that can match the same
 * text in several ways, such as `(a+)+`. `([a-z]+\.)+` is accepted, because the separator determines where each
 * repetition ends. The rule is coarse. The time limit of the thread bounds what it misses.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_CHARACTERS)
    return `a regular expression has at most ${MAX_CHARACTERS} characters, this one ${pattern.length}`;
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return error instanceof Error ? error.message : 'this is not a regular expression';
  }
  const parsed = parsePattern(pattern);
  if (parsed === undefined || parsed.refersBack)
    return 'the regular expression refers back to a group: its time could grow exponentially';
  return parsed.alternatives.some((sequence) => sequence.some(isExponential))
    ? 'the regular expression repeats a group that matches the same text in several ways: its time could grow exponentially'
    : undefined;
}

function isExponential(node: Node): boolean {
  if (node.alternatives === undefined) return false;
  if (node.alternatives.some((sequence) => sequence.some(isExponential))) return true;
  return node.max >= MANY && isAmbiguous(node.alternatives);
}

/** True if a repetition of these alternatives can match one text in several ways. */
function isAmbiguous(alternatives: readonly Sequence[]): boolean {
  const [only = [], ...others] = alternatives;
  if (others.length > 0) {
    const starts = alternatives.map(([first]) => first);
    return alternatives.some((sequence) => sequence.some(hasChoice)) || !areDisjoint(starts);
  }
  if (!only.some(hasChoice)) return false;
  if (only.length === 1) {
    const [inner] = only;
    // A group without other parts: `((a|b))+`.
    return inner?.alternatives === undefined || isVariable(inner) || isAmbiguous(inner.alternatives);
  }
  const separates = (separator: Node | undefined, rest: Sequence): boolean =>
    separator !== undefined && !isVariable(separator) && rest.every((node) => areDisjoint([separator, node]));
  return !separates(only.at(-1), only.slice(0, -1)) && !separates(only[0], only.slice(1));
}

function hasChoice(node: Node): boolean {
  if (isVariable(node)) return true;
  const { alternatives } = node;
  return alternatives !== undefined && (alternatives.length > 1 || alternatives.some((inner) => inner.some(hasChoice)));
}

/**
 * True if no two of the atoms match a common character. Groups and assertions are not analysed: they count as
 * overlapping.
 */
function areDisjoint(nodes: readonly (Node | undefined)[]): boolean {
  const seen = new Set<string>();
  for (const node of nodes) {
    if (node?.atom === undefined) return false;
    const atom = new RegExp(`^(?:${node.atom})$`, 'u');
    for (const character of SAMPLE) {
      if (!atom.test(character)) continue;
      if (seen.has(character)) return false;
      seen.add(character);
    }
  }
  return true;
}
