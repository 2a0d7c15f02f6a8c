import { type SeededRandom, seededRandom } from '#test/support/seeded-random.ts';
import type { Case, Kind, Template } from './case.ts';
import { DEFINITIONS } from './definitions.ts';
import { EXPRESSIONS } from './expressions.ts';
import { SCHEMAS } from './schemas.ts';
import { SCRIPTS } from './scripts.ts';

export const TEMPLATES: Readonly<Record<Kind, readonly Template[]>> = {
  definition: DEFINITIONS,
  schema: SCHEMAS,
  expression: EXPRESSIONS,
  script: SCRIPTS,
};

export interface Generation {
  readonly seed: number;
  /** Share of the cases from templates that reach a time limit. */
  readonly slowShare: number;
  /** Name prefixes of templates to exclude. */
  readonly without: readonly string[];
  /** Name prefixes of templates to include; empty: all templates. */
  readonly only: readonly string[];
}

/**
 * Probability with which a quick case uses a general template (`valid`, `grammar`, `program`, `mutated…`). Otherwise it
 * uses any quick template.
 */
const GENERAL_SHARE = 0.6;
const isGeneral = (name: string) => /\/(?:valid|grammar|program|mutated)/.test(name);

/** Returns the case with this number. The same seed and choice of templates give the same case. */
export function generateCase(kind: Kind, number: number, generation: Generation): Case {
  const random = randomOf(generation.seed, number);
  const wanted = TEMPLATES[kind].filter(({ name }) => isWanted(name, generation));
  const slow = wanted.filter((template) => template.slow === true);
  const quick = wanted.filter((template) => template.slow !== true);
  const general = quick.filter(({ name }) => isGeneral(name));
  const drawn = random.next();
  const from =
    drawn < generation.slowShare || quick.length === 0 ? slow : random.next() < GENERAL_SHARE ? general : quick;
  const template = random.pick(from.length > 0 ? from : wanted);
  if (template === undefined) throw new Error(`no template of the kind ${kind} is left: check --only and --without`);
  return { number, kind, template: template.name, input: null, ...template.make(random) };
}

/** Returns the kinds for which templates remain after the choice. */
export function kindsOf(kinds: readonly Kind[], generation: Generation): Kind[] {
  return kinds.filter((kind) => TEMPLATES[kind].some(({ name }) => isWanted(name, generation)));
}

function isWanted(name: string, { only, without }: Generation): boolean {
  return (
    (only.length === 0 || only.some((beginning) => name.startsWith(beginning))) &&
    !without.some((beginning) => name.startsWith(beginning))
  );
}

/** Returns a random generator that depends only on the seed and the number. */
export function randomOf(seed: number, number: number): SeededRandom {
  const mixed = Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35);
  return seededRandom(mixed ^ (mixed >>> 15));
}
