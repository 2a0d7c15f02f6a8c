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

/** Returns what of the database no group contains, and what the groups name and the database does not have. */
export function groupDifferences(found: readonly string[], groups: readonly TableGroup[] = TABLE_GROUPS): string[] {
  const named = groups.flatMap(({ tables, views }) => [...tables, ...views]);
  return [
    ...found.filter((name) => !named.includes(name)).map((name) => `${name} is in no group of the backup`),
    ...named.filter((name) => !found.includes(name)).map((name) => `${name} is missing in the database`),
  ];
}
