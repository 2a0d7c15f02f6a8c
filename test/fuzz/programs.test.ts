import { describe, expect, test } from 'vitest';
import { seededRandom } from '#test/support/seeded-random.ts';
import { KINDS } from './programs/cases/case.ts';
import { type Generation, generateCase, TEMPLATES } from './programs/cases/generate.ts';
import { shrinkText } from './programs/shrink.ts';
import { generateUnit } from './programs/units.ts';

/**
 * Tests how the program fuzzer generates cases. programs.long.test.ts runs some dozens of them; `npm run fuzz -- --of
 * programs` runs 100,000.
 */

const QUICK: Generation = { seed: 20_260_301, slowShare: 0, only: [], without: [] };

describe('cases', () => {
  test('are the same for the same seed', () => {
    const units = (seed: number) => Array.from({ length: 50 }, (_, at) => generateUnit(at, KINDS, { ...QUICK, seed }));
    expect(units(1)).toEqual(units(1));
    expect(units(1)).not.toEqual(units(2));
  });

  test('are made by every template, whatever the random numbers', () => {
    for (const kind of KINDS)
      for (const { name, make } of TEMPLATES[kind])
        for (let seed = 0; seed < 5; seed += 1)
          expect(make(seededRandom(seed)).text.length, name).toBeLessThan(2 ** 21);
  });

  test('come from the templates that were chosen', () => {
    const chosen = { ...QUICK, slowShare: 1, only: ['script/loop', 'script/promise'], without: ['script/loop-'] };
    const names = new Set(Array.from({ length: 50 }, (_, at) => generateCase('script', at, chosen).template));
    expect([...names]).toEqual(['script/loop']);
  });
});

test('a text is made as small as the fault allows', async () => {
  const fails = async (text: string) => text.includes('ab') && text.includes('z');
  const smallest = await shrinkText(
    `${'x'.repeat(50)}ab${'y'.repeat(50)}z${'x'.repeat(9)}`,
    fails,
    Date.now() + 60_000,
  );
  expect(smallest).toBe('abz');
});
