import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { divideTests } from '../../../bin/run/unit-tests.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

test('each test file is in one of the groups', () => {
  const { unit, others, long } = divideTests(ROOT);
  expect([...unit, ...others, ...long].sort()).toEqual(globSync('test/**/*.test.ts', { cwd: ROOT }).sort());
});

test('a test that uses a service, also through its fixture, is not a unit test', () => {
  const { unit, others } = divideTests(ROOT);
  expect(unit).toContain('test/analytics/detections/tracker.test.ts');
  expect(others).toContain('test/api/postgres/transaction.test.ts');
  expect(others).toContain('test/api/workflows/routes/workflows-run.test.ts');
  expect(others).toContain('test/e2e/start.test.ts');
  expect(others).toContain('test/deploy/engines/supervise.test.ts');
  expect(others).toContain('test/api/executions/sandbox/escapes.test.ts');
});

test('a long test is in neither of the groups that the usual commands run', () => {
  const { unit, others, long } = divideTests(ROOT);
  expect(long).toContain('test/e2e/full-disk.long.test.ts');
  expect([...unit, ...others].filter((file) => file.includes('.long.'))).toEqual([]);
});
