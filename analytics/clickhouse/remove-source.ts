import type { ClickHouse } from './client.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { detectionRecordsTable } from './tables/detection-records.ts';
import { eventsTable } from './tables/events.ts';
import { trackerSnapshotsTable } from './tables/tracker-snapshots.ts';

/**
 * Removes everything that came in under a local topic, and the detections of the host it was marked with. Meant for the demo:
 * real records are never removed but by their retention. Resolves when queries no longer see them.
 */
export async function removeSource(clickhouse: ClickHouse, topic: string, hostname: string): Promise<void> {
  for (const { name } of [eventsTable, deadLetterRecordsTable, trackerSnapshotsTable]) {
    await clickhouse.command(
      `remove a source from ${name}`,
      `DELETE FROM ${clickhouse.table(name)} WHERE topic = {topic:String}`,
      { params: { topic }, settings: { lightweight_deletes_sync: '2' } },
    );
  }
  // Rows that are only marked as deleted are refused where a column is made of others by a lambda.
  await clickhouse.command(
    'remove the detections of a source',
    `ALTER TABLE ${clickhouse.table(detectionRecordsTable.name)} DELETE WHERE hostname = {hostname:String}`,
    { params: { hostname }, settings: { mutations_sync: '2' } },
  );
}
