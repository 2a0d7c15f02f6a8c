import { expect, test } from 'vitest';
import { createRecentCrashes, REPORTED_BY, type ReportedProgram } from '#analytics/detections/state/recent-crashes.ts';

const { kernel, witness, canary } = REPORTED_BY;
const NOW = 1_770_000_000;

/** Programs by number. */
function programs(): (born: number) => ReportedProgram {
  const known = new Map<number, ReportedProgram>();
  return (born) => known.getOrInsertComputed(born, () => ({ born, host: { latestWitness: undefined } }));
}

test('recognizes a report of another source within two seconds, in either direction', () => {
  for (const apart of [-2, 0, 2]) {
    const recent = createRecentCrashes();
    const program = programs();
    expect(recent.note(program(1), 4_000, NOW, kernel)).toBeUndefined();
    expect(recent.note(program(1), 4_000, NOW + apart, witness)).toBe(kernel);
  }
  const recent = createRecentCrashes();
  const program = programs();
  recent.note(program(1), 4_000, NOW, canary);
  expect(recent.note(program(1), 4_000, NOW + 3, witness)).toBeUndefined();
  expect(recent.note(program(2), 4_000, NOW + 3, witness)).toBeUndefined();
  expect(recent.note(program(2), 4_001, NOW + 3, witness)).toBeUndefined();
});

test('one report replaces one line of the kernel', () => {
  const recent = createRecentCrashes();
  const program = programs();
  recent.note(program(1), 4_000, NOW, canary);
  expect(recent.note(program(1), 4_000, NOW, witness)).toBe(canary);
  expect(recent.note(program(1), 4_000, NOW, kernel)).toBe(canary);
  expect(recent.note(program(1), 4_000, NOW, kernel)).toBeUndefined();
});

test('recognizes nothing without a pid; forged times are compared like others', () => {
  const recent = createRecentCrashes();
  const program = programs();
  for (const by of [kernel, witness]) expect(recent.note(program(1), Number.NaN, NOW, by)).toBeUndefined();
  for (const seconds of [-5, 253_402_300_799]) {
    expect(recent.note(program(1), 4_000, seconds, kernel)).toBeUndefined();
    expect(recent.note(program(1), 4_000, seconds, witness)).toBe(kernel);
  }
});

test('a restored table continues like the original', () => {
  const recent = createRecentCrashes();
  const program = programs();
  for (let pid = 0; pid < 3_000; pid += 1) recent.note(program(pid % 7), pid, NOW + (pid >> 8), kernel);
  const restored = createRecentCrashes();
  restored.restore(recent.numbers());
  expect(restored.numbers()).toEqual(recent.numbers());
  expect(restored.note(program(2_999 % 7), 2_999, NOW + 11, witness)).toBe(kernel);
});

test('later reports find waiting lines of the kernel, regardless of the lines in between', () => {
  const recent = createRecentCrashes();
  const program = programs();
  for (let pid = 0; pid < 600; pid += 1) expect(recent.note(program(1), pid, NOW, kernel)).toBeUndefined();
  for (let pid = 0; pid < 600; pid += 100) expect(recent.note(program(1), pid, NOW + 1, witness)).toBe(kernel);
  // Another source has reported crashes of this host, so lines are compared again.
  recent.note(program(1), 700, NOW + 1, witness);
  expect(recent.note(program(1), 700, NOW + 3, kernel)).toBe(witness);
  recent.note(program(1), 701, NOW + 1, witness);
  expect(recent.note(program(1), 701, NOW + 4, kernel)).toBeUndefined();
  expect(recent.note(program(1), 701, NOW + 5, witness)).toBe(kernel);
});

test('a restored table knows the reports of other sources', () => {
  const recent = createRecentCrashes();
  recent.note(programs()(1), 4_000, NOW, witness);
  const restored = createRecentCrashes();
  restored.restore(recent.numbers());
  expect(restored.note(programs()(1), 4_000, NOW + 1, kernel)).toBe(witness);
});
