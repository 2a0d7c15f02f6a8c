import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { filesBelow } from '#deploy/backup/backup-folder.ts';
import {
  askBackup,
  backUpGroup,
  closeBackups,
  damagedParts,
  makeStaging,
  putInPlace,
  restoreGroup,
  tablesIn,
} from '#deploy/backup/clickhouse-copy.ts';
import { groupDifferences, TABLE_GROUPS } from '#deploy/backup/order.ts';
import { answerDifferences, ask, marksOf, questionsOf } from '#deploy/backup/questions.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';

let dataDir: string;
let engine: Awaited<ReturnType<typeof startClickHouse>>;
let clickhouse: ClickHouse;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trapline-clickhouse-copy-'));
  engine = await startClickHouse({ dataDir });
  clickhouse = createClickHouse({ ...engine, database: 'source' });
  await migrate(clickhouse);
  await clickhouse.command(
    'insert events',
    `INSERT INTO source.events (landing_day, topic, partition, offset, received, timestamp, type, raw)
     SELECT today(), 'events', number % 2, intDiv(number, 2), now64(3),
       now64(9), 'LinuxKernelTrap', randomPrintableASCII(100) FROM numbers(2001)`,
  );
});
afterAll(async () => {
  await clickhouse?.close();
  await engine?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const eventsGroup = { name: 'events', tables: ['events'], views: [] };
const silent = () => {};

it('a backup has the same rows as the tables, and the restored tables are compared with it', async () => {
  const destinationOf = (group: string) => `File('whole/${group}')`;
  const answers = {};
  for (const group of TABLE_GROUPS) {
    await backUpGroup(clickhouse, group, destinationOf, silent);
    Object.assign(answers, await askBackup(clickhouse, group, destinationOf));
  }
  expect([...marksOf(answers, 'events')]).toEqual([
    [0, 1000],
    [1, 999],
  ]);
  const target = createClickHouse({ ...engine, database: 'target' });
  try {
    await makeStaging(target);
    const found = {};
    for (const group of TABLE_GROUPS) {
      await restoreGroup(target, group, { from: 'source', destinationOf, progress: silent });
      expect(await damagedParts(target, group)).toEqual([]);
      Object.assign(found, await ask(target, 'target_restoring', questionsOf(group)));
    }
    expect(answerDifferences(answers, found)).toEqual([]);
    expect(answerDifferences(answers, { ...found, 'rows of events': [{ rows: '2000' }] })).toEqual([
      'rows of events: 2001 in the backup, 2000 restored',
    ]);
    await putInPlace(target, TABLE_GROUPS, { from: 'source', destinationOf });
    expect(groupDifferences(await tablesIn(target))).toEqual([]);
    // The view reads the restored tables, and no migration of this version is pending.
    expect(await target.rows('read the view', 'SELECT id FROM target.detections')).toEqual([]);
    expect(await migrate(target)).toEqual([]);
  } finally {
    await target.close();
  }
});

it('detects damage that RESTORE does not detect', async () => {
  await backUpGroup(clickhouse, eventsGroup, (group) => `File('damaged/${group}')`, silent);
  const folder = join(dataDir, 'data', 'backups', 'damaged', 'events');
  const name = (await filesBelow(folder)).find((file) => file.endsWith('data.bin') || file.endsWith('raw.bin'));
  const file = await open(join(folder, name ?? ''), 'r+');
  await file.write(Buffer.from([1, 2, 3, 4]), 0, 4, 3_000);
  await file.close();
  const target = createClickHouse({ ...engine, database: 'other' });
  try {
    await makeStaging(target);
    const destinationOf = (group: string) => `File('damaged/${group}')`;
    await restoreGroup(target, eventsGroup, { from: 'source', destinationOf, progress: silent });
    expect(await damagedParts(target, eventsGroup)).toEqual([expect.stringMatching(/^events \d{8}_.*: /)]);
  } finally {
    await target.close();
  }
});

it('closes backups that a killed process had opened', async () => {
  await clickhouse.command(
    'open a backup',
    "CREATE DATABASE source_backup_of_a_killed_process ENGINE = Backup('source', File('whole/events'))",
  );
  await closeBackups(clickhouse);
  const left = await clickhouse.rows('list databases', "SELECT name FROM system.databases WHERE engine = 'Backup'");
  expect(left).toEqual([]);
});
