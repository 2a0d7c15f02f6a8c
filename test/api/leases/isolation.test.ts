import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIsolation, type IsolationGate } from '#api/leases/isolation.ts';
import { watchUnavailability } from '#api/leases/unavailability.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a suspect runs alone, and nothing else begins before it has survived its window', () => {
  const isolation = createIsolation();
  const survived = vi.fn(() => isolation.end());
  expect(isolation.next(5)).toBe('usual');
  isolation.observe(3);
  expect(isolation.next(0)).toBe('alone');
  isolation.begin(3, survived);
  expect(isolation.next(1)).toBe('nothing');
  vi.advanceTimersByTime(3_999);
  expect(survived).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(survived).toHaveBeenCalledOnce();
  isolation.observe(null);
  expect(isolation.next(1)).toBe('usual');
});

test('a busy worker drains for a while, longer with each loss, and then runs it with its other work', () => {
  for (const [losses, drainMs] of [
    [1, 2_000],
    [2, 8_000],
    [3, 32_000],
  ] as const) {
    const isolation = createIsolation();
    isolation.observe(losses);
    expect(isolation.next(4)).toBe('nothing');
    vi.advanceTimersByTime(drainMs - 1);
    expect(isolation.next(4)).toBe('nothing');
    vi.advanceTimersByTime(1);
    expect(isolation.next(4)).toBe('together');
    isolation.joined();
    // The other work is not delayed further.
    expect(isolation.next(4)).toBe('usual');
    vi.advanceTimersByTime(drainMs);
    expect(isolation.next(4)).toBe('nothing');
    expect(isolation.next(0)).toBe('alone');
  }
});

test('one worker of a process at a time runs a suspect alone', () => {
  const gate: IsolationGate = { holder: undefined };
  const [one, two] = [createIsolation(gate), createIsolation(gate)];
  one.observe(1);
  one.begin(1, () => {});
  expect(two.next(0)).toBe('nothing');
  two.end();
  expect(two.next(0)).toBe('nothing');
  one.end();
  expect(two.next(0)).toBe('usual');
});

test('a suspect is not alone while another worker of the process holds or claims work', () => {
  const gate: IsolationGate = { holder: undefined, busy: new Map() };
  let held = 1;
  const one = createIsolation(gate);
  const two = createIsolation(gate, () => held);
  one.observe(1);
  // It drains, and the other worker claims nothing either.
  expect(one.next(0)).toBe('nothing');
  expect(two.next(1)).toBe('nothing');
  held = 0;
  expect(one.next(0)).toBe('alone');
  // Reserved before the claim returns: a death in between would be attributed to the suspect.
  expect(two.next(0)).toBe('nothing');
  one.end();
  expect(two.next(0)).toBe('usual');
});

test('a worker without a response for half a lease knows that leases ended for everyone', () => {
  const unavailability = watchUnavailability(8_000);
  unavailability.answered();
  vi.advanceTimersByTime(3_000);
  unavailability.answered();
  expect(unavailability.endedMsAgo()).toBe(null);
  vi.advanceTimersByTime(20_000);
  unavailability.answered();
  expect(unavailability.endedMsAgo()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(unavailability.endedMsAgo()).toBe(8_000);
});
