import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';

const TEXTS = [
  '',
  'a',
  'trapline',
  'Ünïcødé \u{1f9ea}',
  '10.0.0.1',
  '2026-03-01T12:00:00Z',
  'a'.repeat(200),
  '\u0000',
  '__proto__',
  'YWJj',
  '<&>"\'',
];
const NUMBERS = [0, -0, 1, -1, 0.1, 255, 4096, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324];
export const NAMES = ['a', 'b', 'id', 'name', 'list', 'nested', 'constructor', 'toString', 'é', 'a b'] as const;

/** Returns a small random JSON value. */
export function randomJson(random: SeededRandom, depth = 3): JsonValue {
  const leaf = depth <= 0 || random.next() < 0.4;
  switch (leaf ? random.between(0, 3) : random.between(4, 5)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick(NUMBERS);
    case 2:
      return random.between(-1000, 1000);
    case 3:
      return random.pick(TEXTS);
    case 4:
      return Array.from({ length: random.between(0, 5) }, () => randomJson(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.between(0, 5) }, () => [random.pick(NAMES), randomJson(random, depth - 1)]),
      );
  }
}

/** Returns `levels` nested lists, or nested objects with the key `a`. */
export function nested(levels: number, random: SeededRandom): JsonValue {
  let value: JsonValue = 1;
  const list = random.next() < 0.5;
  for (let level = 0; level < levels; level += 1) value = list ? [value] : { a: value };
  return value;
}

/** Returns the input on which the fuzzer evaluates expressions. */
export function sampleInput(random: SeededRandom): JsonValue {
  return {
    n: random.between(-5, 300),
    s: random.pick(TEXTS),
    list: Array.from({ length: random.between(0, 12) }, () => random.between(0, 99)),
    objects: Array.from({ length: random.between(0, 6) }, (_, id) => ({
      id,
      name: random.pick(TEXTS),
      tags: ['x', 'y'],
    })),
    deep: nested(random.between(1, 40), random),
    any: randomJson(random),
  };
}
