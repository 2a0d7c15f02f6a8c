import { createTableStatement } from '../table.ts';
import { detectionSilencesTable } from '../tables/detection-silences.ts';
import type { Migration } from './migration.ts';

/** Lets a new exception silence detections there are, and one that is taken away give them back. The view that asks for them comes with the next step. */
export const detectionSilences: Migration = {
  number: 5,
  name: 'detection-silences',
  async run({ clickhouse, retentionDays }) {
    await clickhouse.command(
      'create the table detection_silences',
      createTableStatement(clickhouse.database, detectionSilencesTable, retentionDays),
    );
  },
};
