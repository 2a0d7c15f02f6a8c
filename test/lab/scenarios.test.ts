import { expect, test } from 'vitest';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { machineProblems } from './machine-problems.ts';
import { findLimit, readStack, returnTo, shuffled } from './overflow.ts';
import { truthOf } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

test('scenarios have unique names and existing rules', () => {
  const names = SCENARIOS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const rules = RULES.map(({ id }) => id);
  for (const { any } of SCENARIOS) expect(rules).toEqual(expect.arrayContaining([...any]));
  expect(SCENARIOS.filter(({ any }) => any.length === 0).length).toBeGreaterThanOrEqual(8);
});

test('the ground truth of an attack names its program, unless each child has another name', () => {
  const truths = SCENARIOS.map((scenario) => ({ scenario, truth: truthOf(scenario, 'lab-1') }));
  for (const { scenario, truth } of truths) {
    expect(truth).toMatchObject({ any: scenario.any, note: scenario.note });
    const named = scenario.any.length > 0 && scenario.truth?.any_procname !== true;
    expect(truth.procname).toBe(named ? 'lab-1' : undefined);
  }
});

/** Returns a stand-in for a server whose stack holds these bytes behind its buffer. */
function fakeGateway(limit: number, stack: readonly number[]) {
  let crashes = 0;
  return {
    frame: 16,
    text: { start: 0n, end: 0n },
    send: async (request: Buffer) => {
      const survived = [...request.subarray(limit)].every((byte, i) => byte === stack[i]);
      if (!survived) crashes += 1;
      return survived;
    },
    stop: async () => {},
    crashes: () => crashes,
  };
}

test('finds the limit of a buffer with increasing requests', async () => {
  const gateway = fakeGateway(100, [0]);
  expect(await findLimit(gateway, 64)).toBe(100);
  expect(gateway.crashes()).toBe(1);
  await expect(findLimit(fakeGateway(10_000, []), 64)).rejects.toThrow('it has no overflow');
});

test('reads the stack byte by byte, with one child for each wrong byte', async () => {
  const gateway = fakeGateway(100, [0, 200, 17]);
  const options = { bytes: 3, maxTries: 768, random: seededRandom(7), pause: async () => {} };
  const tries = await readStack(gateway, 100, options);
  expect(tries).toBeGreaterThan(3);
  expect(gateway.crashes()).toBe(tries - 3);
  expect(await readStack(fakeGateway(100, [0, 1]), 100, { ...options, maxTries: 5 })).toBe(5);
});

test('a request that returns elsewhere fills the frame and sets the addresses after it', () => {
  const request = returnTo(fakeGateway(0, []), 0x40_1100n, 0x7fff_ffff_f000n);
  expect(request.subarray(0, 24).every((byte) => byte === 0x41)).toBe(true);
  expect([request.readBigUInt64LE(24), request.readBigUInt64LE(32)]).toEqual([0x40_1100n, 0x7fff_ffff_f000n]);
});

test('a random order contains every number once, and is the same for the same seed', () => {
  const order = shuffled(100, seededRandom(3));
  expect(order).toEqual(shuffled(100, seededRandom(3)));
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
});

test('lists missing requirements of the machine with advice', () => {
  expect(
    machineProblems(
      () => null,
      () => true,
    ),
  ).toEqual([]);
  const problems = machineProblems(
    (file) => (file === '/dev/kmsg' ? 'EPERM' : null),
    (program) => program !== 'gcc',
  );
  expect(problems).toEqual([
    '/dev/kmsg cannot be opened to record crashes (EPERM): run as root, outside of a container',
    'gcc is missing: install the package gcc',
  ]);
});
