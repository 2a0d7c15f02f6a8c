import { isVariable, type Node, parsePattern, type Sequence } from './parse-pattern.ts';

const MAX_REPETITIONS = 1_000;

/**
 * An upper bound of the steps that an engine that backtracks takes to match a whole text of so many characters; infinite for patterns whose bound is not
 * known here. Every varying quantifier is a choice, and at worst all combinations of choices are tried.
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
  // Engines write such a repetition out when they compile it.
  if (Number.isFinite(max) && max > MAX_REPETITIONS) return Number.POSITIVE_INFINITY;
  const times = isVariable(node) ? Math.min(max, characters) - Math.min(min, characters) + 1 : 1;
  if (alternatives === undefined) return times;
  // A repeated group has the choices inside it once for each repetition.
  return max > 1 ? Number.POSITIVE_INFINITY : times * pathsOf(alternatives, characters);
}
