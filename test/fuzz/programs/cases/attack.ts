import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Template } from './case.ts';

/** Makes the text of one attack. */
export type Attack = (random: SeededRandom) => string;
export type Attacks = Readonly<Record<string, Attack>>;

/** Templates named `<kind>/<name of the attack>`; `input` makes what a case is run with. */
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

/** Half to one and a half times ten to one of these powers. */
export function power(random: SeededRandom, ...powers: readonly number[]): number {
  return Math.round(10 ** random.pick(powers) * (0.5 + random.next()));
}

/** `count` texts, joined. */
export function each(count: number, text: (at: number) => string, separator = ', '): string {
  return Array.from({ length: count }, (_, at) => text(at)).join(separator);
}

/** `inner` in `levels` layers. */
export function nest(levels: number, inner: string, wrap: (inner: string, level: number) => string): string {
  let text = inner;
  for (let level = 0; level < levels; level += 1) text = wrap(text, level);
  return text;
}
