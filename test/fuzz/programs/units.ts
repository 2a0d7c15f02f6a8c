import type { Case, Kind } from './cases/case.ts';
import { type Generation, generateCase, kindsOf, randomOf } from './cases/generate.ts';

/** Way into the service: `release` checks a definition, `run` also executes it, `agent` uses an agent. */
export type Entry = 'release' | 'run' | 'agent';

/**
 * Cases of one kind that one account submits together. Expressions, schemas and scripts share a definition with one
 * `fork` branch for each case.
 */
export interface Unit {
  readonly number: number;
  readonly kind: Kind;
  readonly entry: Entry;
  /** Index of the account that submits the unit. */
  readonly account: 0 | 1;
  readonly cases: readonly Case[];
}

/** By kind: its share of all cases, and the number of cases in a unit. */
const PLAN: Readonly<
  Record<Kind, { readonly share: number; readonly size: number; readonly entries: readonly Entry[] }>
> = {
  definition: { share: 0.25, size: 1, entries: ['release', 'run'] },
  schema: { share: 0.2, size: 20, entries: ['run', 'run', 'run', 'agent'] },
  expression: { share: 0.35, size: 40, entries: ['run'] },
  script: { share: 0.2, size: 16, entries: ['run', 'run', 'agent'] },
};
const CASES_PER_UNIT = 64;

/** Returns the unit with this number. The same seed, kinds and templates give the same unit. */
export function generateUnit(number: number, kinds: readonly Kind[], generation: Generation): Unit {
  const random = randomOf(generation.seed ^ 0x5bd1e995, number);
  const wanted = kindsOf(kinds, generation);
  const kind = drawKind(wanted, random.next());
  const { size, entries } = PLAN[kind];
  const cases = Array.from({ length: size }, (_, at) => generateCase(kind, number * CASES_PER_UNIT + at, generation));
  return { number, kind, entry: random.pick(entries), account: number % 2 === 0 ? 0 : 1, cases };
}

/** Draws kinds with small units more often, so that the shares are those of the cases and not of the units. */
function drawKind(kinds: readonly Kind[], drawn: number): Kind {
  const weightOf = (kind: Kind) => PLAN[kind].share / PLAN[kind].size;
  let left = drawn * kinds.reduce((sum, kind) => sum + weightOf(kind), 0);
  for (const kind of kinds) {
    left -= weightOf(kind);
    if (left < 0) return kind;
  }
  const last = kinds.at(-1);
  if (last === undefined) throw new Error('no template is left: check --kinds, --only and --without');
  return last;
}
