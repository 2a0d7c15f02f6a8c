import { createTableStatement } from '../table.ts';
import { detectionPlacesTable, PLACES_DAYS } from '../tables/detection-places.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';
import type { Migration } from './migration.ts';

/** Lets a walk through the list of detections find those that grow meanwhile: from now on, and for those that landed within the last days. */
export const detectionPlaces: Migration = {
  number: 9,
  name: 'detection-places',
  async run({ clickhouse, retentionDays }) {
    const places = clickhouse.table(detectionPlacesTable.name);
    const records = clickhouse.table(detectionRecordsTable.name);
    await clickhouse.command(
      'create the table detection_places',
      createTableStatement(clickhouse.database, detectionPlacesTable, retentionDays),
    );
    await clickhouse.command(
      'note the places of detections',
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${clickhouse.table('detection_records_to_places')} TO ${places}
       AS SELECT id, revision, lastSeen, now64(3) AS landed FROM ${records}`,
    );
    await clickhouse.command(
      'note the places of detections of before',
      `INSERT INTO ${places} (id, revision, lastSeen, landed)
       SELECT id, revision, lastSeen, received FROM ${records} WHERE received >= now64(3) - INTERVAL ${PLACES_DAYS} DAY`,
    );
  },
};
