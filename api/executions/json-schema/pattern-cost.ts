import { isVariable, type Node, parsePattern, type Sequence } from './parse-pattern.ts';

const MAX_REPETITIONS = 1_000;

/**
 * Returns an upper bound of the steps that a backtracking engine needs to match a text of this length. Returns infinity
 * if no bound is known. Each variable quantifier is a choice. In the worst case, all combinations of choices are tried.
 */
export function patternCost(pattern: string, characters: number): number {
  const parsed = parsePattern(pattern);
  if (parsed === undefined || parsed.refersBack) return Number.POSITIVE_INFINITY;
  return pathsOf(parsed.alternatives, characters) * (pattern.length + characters);
}

function pathsOf(alternatives: readonly Sequence[], characters: number): number {
  let paths = 0;
  for (const sequence of alternatives) {
    let product = 1;
    for (const node of sequence) product *= choicesOf(node, characters);
    paths += product;
  }
  return paths;
}

function choicesOf(node: Node, characters: number): number {
  const { alternatives, min, max } = node;
  // Engines unroll such a repetition when they compile it.
  if (Number.isFinite(max) && max > MAX_REPETITIONS) return Number.POSITIVE_INFINITY;
  const times = isVariable(node) ? Math.min(max, characters) - Math.min(min, characters) + 1 : 1;
  if (alternatives === undefined) return times;
  // A repeated group multiplies the choices inside it once per repetition.
  return max > 1 ? Number.POSITIVE_INFINITY : times * pathsOf(alternatives, characters);
}
