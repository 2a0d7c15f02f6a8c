import { expect, test } from 'vitest';
import { createRecentCrashes, REPORTED_BY } from '#analytics/detections/state/recent-crashes.ts';

const { kernel, witness, canary } = REPORTED_BY;
const NOW = 1_770_000_000;

test('a report of another source is known by the one before, within two seconds, in either direction', () => {
  for (const apart of [-2, 0, 2]) {
    const recent = createRecentCrashes();
    expect(recent.note(1, 4_000, NOW, kernel)).toBeUndefined();
    expect(recent.note(1, 4_000, NOW + apart, witness)).toBe(kernel);
  }
  const recent = createRecentCrashes();
  recent.note(1, 4_000, NOW, canary);
  expect(recent.note(1, 4_000, NOW + 3, witness)).toBeUndefined();
  expect(recent.note(2, 4_000, NOW + 3, witness)).toBeUndefined();
  expect(recent.note(2, 4_001, NOW + 3, witness)).toBeUndefined();
});

test('one report stands for one line of the kernel, which says what it had', () => {
  const recent = createRecentCrashes();
  recent.note(1, 4_000, NOW, canary);
  expect(recent.note(1, 4_000, NOW, witness)).toBe(canary);
  expect(recent.note(1, 4_000, NOW, kernel)).toBe(canary);
  expect(recent.note(1, 4_000, NOW, kernel)).toBeUndefined();
});

test('without a pid nothing is known; forged times are compared like others', () => {
  const recent = createRecentCrashes();
  for (const by of [kernel, witness]) expect(recent.note(1, Number.NaN, NOW, by)).toBeUndefined();
  for (const seconds of [-5, 253_402_300_799]) {
    expect(recent.note(1, 4_000, seconds, kernel)).toBeUndefined();
    expect(recent.note(1, 4_000, seconds, witness)).toBe(kernel);
  }
});

test('a restored table goes on as the original', () => {
  const recent = createRecentCrashes();
  for (let pid = 0; pid < 3_000; pid += 1) recent.note(pid % 7, pid, NOW + (pid >> 8), kernel);
  const restored = createRecentCrashes();
  restored.restore(recent.numbers());
  expect(restored.numbers()).toEqual(recent.numbers());
  expect(restored.note(2_999 % 7, 2_999, NOW + 11, witness)).toBe(kernel);
});
