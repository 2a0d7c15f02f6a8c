import { expect, test } from 'vitest';
import { createMigrationProgress } from '#deploy/processes/migration-progress.ts';

test('logs the percentage of long migrations at most every two seconds, without the end', () => {
  const logged: unknown[] = [];
  let now = 0;
  const log = { info: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  const step = createMigrationProgress(log, 'migrating PostgreSQL', () => now);

  step(1, 60);
  now = 2_000;
  step(20, 60);
  now = 3_999;
  step(39, 60);
  now = 4_000;
  step(41, 60);
  now = 9_000;
  step(60, 60);

  expect(logged).toEqual([
    { percent: 33, done: 20, total: 60, message: 'migrating PostgreSQL' },
    { percent: 68, done: 41, total: 60, message: 'migrating PostgreSQL' },
  ]);
});
