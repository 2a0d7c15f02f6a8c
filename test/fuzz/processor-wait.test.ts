import { expect, test } from 'vitest';
import { createProcessorWait } from './programs/processor-wait.ts';

/** Times in ms since the start of the test. /proc counts in nanoseconds and in hundredths of a second. */
function samplesOf(states: readonly { at: number; waited: number; own: number; busy: number }[]) {
  let state = states[0];
  const wait = createProcessorWait(7, (file) => {
    if (file === '/proc/7/task/7/schedstat') return `1 ${(state?.waited ?? 0) * 1e6} 1`;
    if (file === '/proc/stat') return `cpu  ${(state?.busy ?? 0) / 10} 0 0 500 60 0 0 0 0 0\ncpu0 1 1 1 1`;
    return `7 (a ) b) S ${'0 '.repeat(10)}${(state?.own ?? 0) / 10} 0 ${'0 '.repeat(30)}`;
  });
  for (state of states) wait.sample(state.at);
  return wait;
}

// Regression: with a load of 30, a service that got no processor time for 2 s was reported as hung, although a bare
// server answered.
test('a wait for a processor counts in proportion to what other processes used', () => {
  const others = samplesOf([
    { at: 0, waited: 0, own: 0, busy: 0 },
    { at: 3_000, waited: 2_500, own: 500, busy: 6_000 },
  ]);
  expect(others.between(0, 3_000)).toBe(Math.round((2_500 * 5_500) / 6_000));
  const byItself = samplesOf([
    { at: 0, waited: 0, own: 0, busy: 0 },
    { at: 3_000, waited: 2_500, own: 6_000, busy: 6_000 },
  ]);
  expect(byItself.between(0, 3_000)).toBe(0);
});

test('a computing service without a response has not waited', () => {
  const wait = samplesOf([
    { at: 0, waited: 0, own: 0, busy: 0 },
    { at: 5_000, waited: 20, own: 5_000, busy: 5_100 },
  ]);
  expect(wait.between(0, 5_000)).toBe(0);
});

test('without scheduler statistics every gap counts', () => {
  const wait = createProcessorWait(7, () => {
    throw new Error('ENOENT');
  });
  wait.sample(0);
  wait.sample(2_000);
  expect(wait.between(0, 2_000)).toBe(0);
});
