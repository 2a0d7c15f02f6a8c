import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '#analytics/clickhouse/migrations/migrate.ts';
import { hashLine, runMigration, statementsOf } from '#analytics/clickhouse/migrations/migration.ts';
import type { ChainedTable, Table } from '#analytics/clickhouse/table.ts';
import { apiRequestsTable } from '#analytics/clickhouse/tables/api-requests.ts';
import { deadLetterRecordsTable } from '#analytics/clickhouse/tables/dead-letter-records.ts';
import { deadLetterRedrivesTable } from '#analytics/clickhouse/tables/dead-letter-redrives.ts';
import { detectionPlacesTable } from '#analytics/clickhouse/tables/detection-places.ts';
import { detectionRecordsTable } from '#analytics/clickhouse/tables/detection-records.ts';
import { detectionSilencesTable } from '#analytics/clickhouse/tables/detection-silences.ts';
import { detectionTracesTable } from '#analytics/clickhouse/tables/detection-traces.ts';
import { detectionTriageTable } from '#analytics/clickhouse/tables/detection-triage.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { trackerSnapshotsTable } from '#analytics/clickhouse/tables/tracker-snapshots.ts';
import { compareVersions, oldestVersionFor } from '#schemas/migration-name.ts';
import { breakingStatements } from '#test/support/expand-only.ts';
import { filesOfRelease, lastRelease } from '#test/support/last-release.ts';

import { useDatabase } from './fixture.ts';

const { clickhouse } = await useDatabase();

/** This release did not record hashes of migrations yet. */
const RELEASED: Readonly<Record<string, string>> = {
  '0001-tables': '111122f95cd170143fb0f45c03667750f779b4b58257aa1e817c61838be19426',
};

test.each(MIGRATIONS)('the migration $number $name is unchanged', ({ number, name, sql }) => {
  const released = RELEASED[`${String(number).padStart(4, '0')}-${name}`];
  if (released !== undefined) expect(createHash('sha256').update(sql).digest('hex')).toBe(released);
  else expect(sql.split('\n', 1)[0], 'first line of the file').toBe(hashLine(sql));
});

test('migrations since the last release only add, or name the oldest compatible version', async () => {
  const release = await lastRelease();
  const released = new Set(await filesOfRelease(release, 'analytics/clickhouse/migrations'));
  expect(released).toContain('0001-tables.sql');
  for (const migration of MIGRATIONS) {
    const { number, name } = migration;
    if (released.has(`${String(number).padStart(4, '0')}-${name}.sql`)) continue;
    const oldest = oldestVersionFor(name);
    // A process of the last release keeps running while the new release migrates.
    if (oldest !== undefined) expect(compareVersions(oldest, release.version), name).toBeLessThanOrEqual(0);
    else expect(breakingStatements(statementsOf(migration, 'db').map(({ sql }) => sql)), name).toEqual([]);
  }
});

test('the hash of a migration is that of its text below the line', () => {
  const text = 'ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS a UInt8;\n';
  const line = hashLine(text);
  expect(line).toMatch(/^-- sha256 [0-9a-f]{64}$/);
  expect(hashLine(`${line}\n${text}`)).toBe(line);
  expect(hashLine(`${line}\n${text.replace('UInt8', 'UInt16')}`)).not.toBe(line);
});

const TABLES: readonly { readonly table: Pick<Table<never>, 'name'>; readonly columns: readonly string[] }[] = [
  described(eventsTable),
  described(deadLetterRecordsTable),
  described(deadLetterRedrivesTable),
  described(detectionRecordsTable),
  described(detectionPlacesTable),
  described(detectionTriageTable),
  described(detectionSilencesTable),
  described(detectionTracesTable),
  described(trackerSnapshotsTable),
  described(apiRequestsTable),
];

function described<Row>(table: Table<Row> | ChainedTable<Row>) {
  const columns = 'partition' in table ? [table.partition, ...table.columns] : table.columns;
  return { table: { name: table.name }, columns: columns.map(({ name, type }) => `${name} ${type}`) };
}

test.for(TABLES)('the migrations create the columns that are inserted: $table.name', async ({ table, columns }) => {
  const rows = await clickhouse.rows<{ name: string; type: string; default_type: string }>(
    'describe',
    `DESCRIBE ${clickhouse.table(table.name)}`,
  );
  const stored = rows.filter(({ default_type }) => default_type !== 'MATERIALIZED');
  expect(stored.map(({ name, type }) => `${name} ${type.replace(/\(\s+/g, '(').replace(/,\s+/g, ', ')}`)).toEqual(
    columns,
  );
});

const definitions = () =>
  clickhouse.rows(
    'read definitions',
    `SELECT name, create_table_query FROM system.tables WHERE database = {database:String} AND name != 'migrations' ORDER BY name`,
    { params: { database: clickhouse.database } },
  );

test('a migration that runs twice, also concurrently, leaves the same tables', async () => {
  const before = await definitions();
  for (const migration of MIGRATIONS) {
    await Promise.all([runMigration(clickhouse, migration), runMigration(clickhouse, migration)]);
    await runMigration(clickhouse, migration);
  }
  expect(await definitions()).toEqual(before);
});

test('omits a setting that the server does not know only if the migration permits it', async () => {
  const unknown = 'ALTER TABLE {database}.dead_letter_records MODIFY SETTING no_such_setting = 1;';
  const known = 'ALTER TABLE {database}.dead_letter_records MODIFY SETTING old_parts_lifetime = 77;';
  const step = (sql: string) => ({ number: 9999, name: 'test', sql });
  await expect(runMigration(clickhouse, step(unknown))).rejects.toMatchObject({ code: '115' });
  await runMigration(clickhouse, step(`-- ignore error 115\n${unknown}\n\n${known}\n`));
  expect(JSON.stringify(await definitions())).toContain('old_parts_lifetime = 77');
});

test('on replicas, a table has a replicated engine and every other statement is unchanged', () => {
  const sql = (replicated: boolean) =>
    MIGRATIONS.flatMap((migration) => statementsOf(migration, 'db', replicated)).map((statement) => statement.sql);
  const tables = sql(true).filter((statement) => statement.startsWith('CREATE TABLE'));
  expect(tables.length).toBeGreaterThanOrEqual(9);
  for (const statement of tables) {
    expect(statement).toMatch(/^ENGINE = Replicated(Replacing)?MergeTree/m);
    expect(statement.match(/^SETTINGS\b/gm)).toHaveLength(1);
    expect(statement).toContain('replicated_max_ratio_of_wrong_parts = 1');
  }
  const others = (statements: string[]) => statements.filter((statement) => !statement.startsWith('CREATE TABLE'));
  expect(others(sql(true))).toEqual(others(sql(false)));
});

test('statements are split at semicolons that end a line, without comments', () => {
  const sql = "-- a; comment;\nSELECT ';' AS a;\n\n-- ignore error 115\nSELECT 2;\n";
  expect(statementsOf({ number: 1, name: 'x', sql }, 'a`b')).toEqual([
    { sql: "SELECT ';' AS a" },
    { sql: 'SELECT 2', ignoredError: '115' },
  ]);
  expect(statementsOf({ number: 1, name: 'x', sql: 'DROP TABLE {database}.t;\n' }, 'a`b')).toEqual([
    { sql: 'DROP TABLE `a\\`b`.t' },
  ]);
});
