import { expect, test } from 'vitest';
import { usageBy, usageOf } from '#api/agents/usage.ts';

const row = {
  version: 1,
  model: 'm',
  runs: 2,
  ended: 2,
  unpricedRuns: 0,
  inputTokens: 10,
  cachedInputTokens: 1,
  outputTokens: 5,
  steps: 3,
  toolCalls: 4,
  durationMs: 100,
  credits: 1.5,
};

test('sums by version in order, and a cost is null only if none is known', () => {
  const rows = [
    { ...row, version: 2, unpricedRuns: 2, credits: 0 },
    row,
    { ...row, model: null, unpricedRuns: 1, credits: 2 },
  ];
  expect(usageOf(rows)).toMatchObject({ runs: 6, ended: 6, unpricedRuns: 3, totalTokens: 45, credits: 3.5 });
  expect(usageBy(rows, 'version')).toMatchObject([
    { version: 2, runs: 2, credits: null },
    { version: 1, runs: 4, unpricedRuns: 1, credits: 3.5 },
  ]);
  expect(usageBy(rows, 'model').map(({ model, credits }) => [model, credits])).toEqual([
    ['m', 1.5],
    [null, 2],
  ]);
});

test('an agent without runs has no usage', () => {
  expect(usageOf([])).toMatchObject({ runs: 0, totalTokens: 0, credits: 0 });
});
