import { type ChainedTable, createTableStatement, type Table } from '../table.ts';
import { deadLetterRecordsTable } from '../tables/dead-letter-records.ts';
import { deadLetterRedrivesTable } from '../tables/dead-letter-redrives.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';
import { detectionSilencesTable } from '../tables/detection-silences.ts';
import { detectionTriageTable } from '../tables/detection-triage.ts';
import { eventsTable } from '../tables/events.ts';
import { trackerSnapshotsTable } from '../tables/tracker-snapshots.ts';
import { deadLettersView } from '../views/dead-letters.ts';
import { detectionsView } from '../views/detections.ts';
import type { Migration } from './migration.ts';

export const firstTables: Migration = {
  number: 1,
  name: 'first-tables',
  async run({ clickhouse, retentionDays }) {
    const create = <Row>(table: Table<Row> | ChainedTable<Row>): Promise<void> =>
      clickhouse.command(
        `create the table ${table.name}`,
        createTableStatement(clickhouse.database, table, retentionDays),
      );
    await create(eventsTable);
    await create(deadLetterRecordsTable);
    await create(deadLetterRedrivesTable);
    await create(detectionRecordsTable);
    await create(detectionTriageTable);
    // The view below reads it.
    await create(detectionSilencesTable);
    await create(trackerSnapshotsTable);
    await clickhouse.command('create the view detections', detectionsView(clickhouse.database));
    await clickhouse.command('create the view dead_letters', deadLettersView(clickhouse.database));
  },
};
