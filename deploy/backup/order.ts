import { nameAcrossShards, SPREAD_TABLES, SPREAD_VIEW } from '#analytics/clickhouse/tables/across-shards.ts';
import { laneShardsTable } from '#analytics/clickhouse/tables/lane-shards.ts';

/** Tables in one BACKUP statement. A group is backed up when the previous one has finished. */
export interface TableGroup {
  readonly name: string;
  readonly tables: readonly string[];
  readonly views: readonly string[];
}

/**
 * Backup order of ClickHouse tables, after PostgreSQL. It follows from the write order of the pipeline: an event is
 * stored after everything derived from it, so events must be backed up before their derived rows.
 *
 * `before-events`: a tracker snapshot is used only up to the last event; a redrive recorded as landed has landed as an
 * event.
 * `events`: the last offset of each partition is where ingest continues.
 * `after-events`: detections and dead letters of all these events, and possibly of later ones. ingest writes those
 * again with the same ids.
 */
export const TABLE_GROUPS: readonly TableGroup[] = [
  { name: 'before-events', tables: ['migrations', 'tracker_snapshots', 'dead_letter_redrives'], views: [] },
  { name: 'events', tables: ['events'], views: [] },
  {
    name: 'after-events',
    tables: [
      'dead_letter_records',
      'detection_records',
      'detection_places',
      'detection_triage',
      'detection_silences',
      'detection_traces',
      'api_requests',
    ],
    views: ['detection_records_to_places', 'detections', 'dead_letters'],
  },
];

/**
 * The same groups, per shard of a cluster. A group is backed up when every shard has finished the previous one.
 * `lane_shards` is last, because a lane is recorded there before its first event. Views and tables across shards hold
 * no rows; the migrations of a restore create them.
 */
export const CLUSTER_GROUPS: readonly TableGroup[] = TABLE_GROUPS.map(({ name, tables }, index) => ({
  name,
  tables: index === TABLE_GROUPS.length - 1 ? [...tables, laneShardsTable.name] : tables,
  views: [],
}));

const NOT_COPIED_OF_CLUSTER: readonly string[] = [
  ...TABLE_GROUPS.flatMap(({ views }) => views),
  ...[...SPREAD_TABLES, SPREAD_VIEW].map(nameAcrossShards),
];

/** Returns the tables and views of a cluster's database that are backed up. */
export function copiedOfCluster(found: readonly string[]): string[] {
  return found.filter((name) => !NOT_COPIED_OF_CLUSTER.includes(name));
}

/** Returns the tables that no group contains, and those in the groups that the database does not have. */
export function groupDifferences(found: readonly string[], groups: readonly TableGroup[] = TABLE_GROUPS): string[] {
  const named = groups.flatMap(({ tables, views }) => [...tables, ...views]);
  return [
    ...found.filter((name) => !named.includes(name)).map((name) => `${name} is in no group of the backup`),
    ...named.filter((name) => !found.includes(name)).map((name) => `${name} is missing in the database`),
  ];
}
