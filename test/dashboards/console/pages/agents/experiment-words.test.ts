import { expect, test } from 'vitest';
import { changeOf, pText } from '#dashboards/console/src/pages/agents/experiment-words.ts';
import { permissionRows } from '#dashboards/console/src/pages/agents/permission-rows.ts';

test('rounds p-values to three decimals and never to zero', () => {
  expect([pText(0.03125), pText(0.00001), pText(1)]).toEqual(['= 0.031', '< 0.001', '= 1.000']);
});

test('compares two runs only if both have a verdict', () => {
  const run = (passed: boolean | null) => ({
    executionId: 'exec_1',
    status: 'completed',
    cost: null,
    evaluation: { passed, comparison: 'exact' as const, differences: [] },
  });
  expect(changeOf({ baseline: run(false), candidate: run(true) })).toBe('improved');
  expect(changeOf({ baseline: run(true), candidate: run(false) })).toBe('regressed');
  expect(changeOf({ baseline: run(true), candidate: run(true) })).toBe('same');
  expect(changeOf({ baseline: run(true), candidate: run(null) })).toBe('open');
  expect(changeOf({ baseline: null, candidate: run(true) })).toBe('open');
});

test('shows permissions as the server interprets them', () => {
  expect(permissionRows({})).toEqual({ preset: 'allow', rules: [] });
  expect(permissionRows({ tools: ['files.read'] })).toEqual({
    preset: 'deny',
    rules: [{ tool: 'files.read', given: '', decision: 'allow' }],
  });
  expect(
    permissionRows({ permissions: { rules: [{ tool: 'http.fetch', arguments: { method: 'GET' }, decision: 'ask' }] } }),
  ).toEqual({ preset: 'deny', rules: [{ tool: 'http.fetch', given: 'method: GET', decision: 'ask' }] });
});
