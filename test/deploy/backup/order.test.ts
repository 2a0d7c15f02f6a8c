import { describe, expect, it } from 'vitest';
import { readMigrations } from '#analytics/clickhouse/migrations/migration.ts';
import { CLUSTER_GROUPS, copiedOfCluster, groupDifferences, TABLE_GROUPS } from '#deploy/backup/order.ts';

const place = (table: string) => TABLE_GROUPS.findIndex(({ tables }) => tables.includes(table));

describe('the order of a backup of ClickHouse', () => {
  it('copies everything derived from events after the events', () => {
    for (const table of ['detection_records', 'dead_letter_records', 'detection_triage', 'detection_silences'])
      expect(place(table), table).toBeGreaterThan(place('events'));
  });

  it('copies everything that is used only with earlier events before the events', () => {
    for (const table of ['tracker_snapshots', 'dead_letter_redrives'])
      expect(place(table), table).toBeLessThan(place('events'));
  });

  it('contains each table and view of the migrations, views after their tables', () => {
    const created = readMigrations().flatMap(({ sql }) => [
      ...sql.matchAll(
        /^CREATE (?:OR REPLACE )?(?:TABLE|VIEW|MATERIALIZED VIEW) (?:IF NOT EXISTS )?\{database\}\.(\w+)/gm,
      ),
    ]);
    const names = new Set(created.map(([, name = '']) => name));
    expect(groupDifferences([...names, 'migrations'])).toEqual([]);
    expect(TABLE_GROUPS.slice(0, -1).flatMap(({ views }) => views)).toEqual([]);
  });

  it('copies the shards of lanes of a cluster after the events, and no tables that migrations fill', () => {
    const tables = TABLE_GROUPS.flatMap((group) => group.tables);
    const views = TABLE_GROUPS.flatMap((group) => group.views);
    const found = [...tables, ...views, 'lane_shards', 'events_all', 'dead_letter_records_all', 'dead_letters_all'];
    expect(groupDifferences(copiedOfCluster(found), CLUSTER_GROUPS)).toEqual([]);
    expect(groupDifferences(copiedOfCluster(tables), CLUSTER_GROUPS)).toEqual([
      'lane_shards is missing in the database',
    ]);
    expect(CLUSTER_GROUPS.findIndex((group) => group.tables.includes('lane_shards'))).toBeGreaterThan(place('events'));
  });

  it('reports tables without a group, and missing tables', () => {
    const groups = [{ name: 'one', tables: ['events'], views: ['detections'] }];
    expect(groupDifferences(['events', 'surprise'], groups)).toEqual([
      'surprise is in no group of the backup',
      'detections is missing in the database',
    ]);
  });
});
