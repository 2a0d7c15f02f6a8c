import { expect, test } from 'vitest';
import { MIGRATIONS } from '#analytics/clickhouse/migrations/migrate.ts';
import { viewAcrossShards } from '#analytics/clickhouse/migrations/shards.ts';

test('the view of dead letters reads the records of all shards and the redrives of the home shard', () => {
  const view = viewAcrossShards('db', MIGRATIONS);
  expect(view).toMatch(/^CREATE OR REPLACE VIEW `db`\.dead_letters_all AS\nSELECT/);
  expect(view).toContain('FROM `db`.dead_letter_records_all AS d\nGLOBAL LEFT JOIN (');
  expect(view).toContain('FROM `db`.dead_letter_redrives FINAL');
});

test('rejects a migration that defines the view differently', () => {
  const later = { number: 9, name: 'later', sql: 'CREATE OR REPLACE VIEW {database}.dead_letters AS SELECT 1;\n' };
  expect(() => viewAcrossShards('db', [...MIGRATIONS, later])).toThrow(/do not define the view/);
  expect(() => viewAcrossShards('db', [])).toThrow(/do not define the view/);
});
