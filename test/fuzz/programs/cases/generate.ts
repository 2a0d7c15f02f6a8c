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
  /** Part of the cases that is made from templates that use up a time limit. */
  readonly slowShare: number;
  /** Beginnings of names of templates that are not used. */
  readonly without: readonly string[];
  /** Beginnings of names of templates that alone are used; empty: all. */
  readonly only: readonly string[];
}

/** The general templates (`valid`, `grammar`, `program`, `mutated…`) come first and make this part of the quick cases. */
const GENERAL_SHARE = 0.6;
const isGeneral = (name: string) => /\/(?:valid|grammar|program|mutated)/.test(name);

/** The case of this number: always the same one for the same seed and choice of templates. */
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

/** Kinds of which templates are left. */
export function kindsOf(kinds: readonly Kind[], generation: Generation): Kind[] {
  return kinds.filter((kind) => TEMPLATES[kind].some(({ name }) => isWanted(name, generation)));
}

function isWanted(name: string, { only, without }: Generation): boolean {
  return (
    (only.length === 0 || only.some((beginning) => name.startsWith(beginning))) &&
    !without.some((beginning) => name.startsWith(beginning))
  );
}

/** Random numbers that depend on nothing but these two. */
export function randomOf(seed: number, number: number): SeededRandom {
  const mixed = Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35);
  return seededRandom(mixed ^ (mixed >>> 15));
}
