import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Template } from './case.ts';

/** Generates the text of one attack. */
export type Attack = (random: SeededRandom) => string;
export type Attacks = Readonly<Record<string, Attack>>;

/** Returns templates named `<kind>/<attack name>`. `input` generates the input of a case. */
export function templatesOf(
  kind: string,
  attacks: Attacks,
  { slow, input = () => null }: { readonly slow: boolean; readonly input?: (random: SeededRandom) => JsonValue },
): Template[] {
  return Object.entries(attacks).map(([name, make]) => ({
    name: `${kind}/${name}`,
    slow,
    make: (random) => ({ text: make(random), input: input(random) }),
  }));
}

/** Returns a random number between 0.5 and 1.5 times a random one of these powers of ten. */
export function power(random: SeededRandom, ...powers: readonly number[]): number {
  return Math.round(10 ** random.pick(powers) * (0.5 + random.next()));
}

/** Returns `count` texts, joined by `separator`. */
export function each(count: number, text: (at: number) => string, separator = ', '): string {
  return Array.from({ length: count }, (_, at) => text(at)).join(separator);
}

/** Wraps `inner` in `levels` layers. */
export function nest(levels: number, inner: string, wrap: (inner: string, level: number) => string): string {
  let text = inner;
  for (let level = 0; level < levels; level += 1) text = wrap(text, level);
  return text;
}
