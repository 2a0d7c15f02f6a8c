import { expect, test } from 'vitest';
import { KINDS } from './programs/cases/case.ts';
import { type Generation, generateCase } from './programs/cases/generate.ts';
import type { Fault } from './programs/faults.ts';
import { createPools } from './programs/pools.ts';
import { startSession } from './programs/session.ts';
import { generateUnit } from './programs/units.ts';

/** Runs the program fuzzer on some dozens of cases; `npm run fuzz -- --of programs` runs 100,000. */

const QUICK: Generation = { seed: 20_260_301, slowShare: 0, only: [], without: [] };
/**
 * The gap budget is long because other tests share the machine: this test finds hangs, the command also finds slow
 * responses.
 */
const BUDGETS = { memoryBytes: 2 ** 30, gapMs: 10_000 };

test('the threads that check and run programs end every case, and continue', async () => {
  const pools = createPools();
  try {
    const cases = Array.from({ length: 40 }, (_, at) => generateCase(KINDS[at % KINDS.length] ?? 'script', at, QUICK));
    // Runs four cases at a time, because the service also runs several concurrently.
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (const one of cases.filter((_case, at) => at % 4 === lane)) await pools.run(one);
    });
    await Promise.all(lanes);
    // Scripts that allocate up to their limit belong to the slow cases.
    for (const name of ['memory-caught', 'memory-then-call', 'value-doubled', 'objects-nested'])
      await pools.run(generateCase('script', 1, { ...QUICK, slowShare: 1, only: [`script/${name}`] }));
    const control = { number: 0, template: 'control', input: { n: 6 } };
    expect(await pools.run({ ...control, kind: 'expression', text: '.n * 7' })).toBe('completed');
    expect(await pools.run({ ...control, kind: 'script', text: 'input.n * 7' })).toBe('completed');
    expect(await pools.run({ ...control, kind: 'schema', text: '{"type":"object"}' })).toBe('completed');
    expect(await pools.run({ ...control, kind: 'definition', text: '{}' })).toBe('refused');
  } finally {
    await pools.close();
  }
});

test('the service stays within its budgets and gives each account its own results', async () => {
  const faults: Fault[] = [];
  const session = await startSession(BUDGETS, 2, (fault) => faults.push(fault));
  try {
    let next = 0;
    let ended = 0;
    const lane = async (number: number) => {
      while (ended < 30) {
        const outcomes = await session.submit(generateUnit(next++, KINDS, QUICK), number);
        ended += outcomes.length;
        expect(outcomes.filter(({ outcome }) => outcome === 'interrupted')).toEqual([]);
      }
    };
    await Promise.all([lane(0), lane(1)]);
    await session.checkControls();
    expect(session.probe()?.targets['/healthz']?.answers).toBeGreaterThan(0);
  } finally {
    await session.stop();
  }
  const shown = faults.map(({ kind, detail, suspects }) => ({
    kind,
    detail,
    templates: suspects.flatMap(({ cases }) => cases.map(({ template }) => template)),
  }));
  expect(shown).toEqual([]);
});
