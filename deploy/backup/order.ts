import { nameAcrossShards, SPREAD_TABLES, SPREAD_VIEW } from '#analytics/clickhouse/tables/across-shards.ts';
import { laneShardsTable } from '#analytics/clickhouse/tables/lane-shards.ts';

/** Tables that one BACKUP statement takes. A group is taken when the one before it is finished. */
export interface TableGroup {
  readonly name: string;
  readonly tables: readonly string[];
  readonly views: readonly string[];
}

/**
 * The order in which ClickHouse is backed up, after PostgreSQL. The reason is the order in which the pipeline writes: an event is stored after
 * everything that follows from it, so the events must be taken before that.
 *
 * `before-events`: a snapshot of a tracker is used only up to the last event; a redrive that is noted as landed has landed as an event.
 * `events`: the last offset of each partition is where ingest continues.
 * `after-events`: detections and dead letters of all these events, perhaps of some more. ingest writes those again with the same ids.
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
 * The same groups of each shard of a cluster. A group is taken when every shard has finished the one before it. `lane_shards` is last: a lane is
 * recorded there before its first event. Views and tables across shards hold no rows, and the migrations of a restore create them.
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

/** Returns what of a cluster's database is copied, given all that it has. */
export function copiedOfCluster(found: readonly string[]): string[] {
  return found.filter((name) => !NOT_COPIED_OF_CLUSTER.includes(name));
}

/** Returns what of the database no group contains, and what the groups name and the database does not have. */
export function groupDifferences(found: readonly string[], groups: readonly TableGroup[] = TABLE_GROUPS): string[] {
  const named = groups.flatMap(({ tables, views }) => [...tables, ...views]);
  return [
    ...found.filter((name) => !named.includes(name)).map((name) => `${name} is in no group of the backup`),
    ...named.filter((name) => !found.includes(name)).map((name) => `${name} is missing in the database`),
  ];
}
