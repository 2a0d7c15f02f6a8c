import { createTableStatement } from '../table.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';
import { detectionsView } from '../views/detections.ts';
import type { Migration } from './migration.ts';

const COLUMNS = detectionRecordsTable.columns.map(({ name }) => `\`${name}\``).join(', ');
/** Longer than the copy leaves a writer of before that began when nothing was passed on yet. */
const IN_FLIGHT_MINUTES = 30;

/**
 * Lets lists read the rows of a page instead of all detections. The rows of `detection_revisions` lie too far apart for that, and how far cannot be changed in
 * place: they are copied, and what processes of before still write there is passed on. That table is left as it is and goes by its retention.
 */
export const detectionRecords: Migration = {
  number: 6,
  name: 'detection-records',
  async run({ clickhouse, retentionDays }) {
    await clickhouse.command(
      'create the table detection_records',
      createTableStatement(clickhouse.database, detectionRecordsTable, retentionDays),
    );
    const before = clickhouse.table('detection_revisions');
    const records = clickhouse.table(detectionRecordsTable.name);
    const [found] = await clickhouse.rows<{ name: string }>(
      'look for detections of before',
      `SELECT name FROM system.tables WHERE database = {database:String} AND name = 'detection_revisions'`,
      { params: { database: clickhouse.database } },
    );
    if (found !== undefined) {
      await clickhouse.command(
        'pass detections on',
        `CREATE MATERIALIZED VIEW IF NOT EXISTS ${clickhouse.table('detection_revisions_to_records')} TO ${records}
         AS SELECT ${COLUMNS} FROM ${before}`,
      );
      const copy = `INSERT INTO ${records} (${COLUMNS}) SELECT ${COLUMNS} FROM ${before}`;
      await clickhouse.command('copy detections', copy);
      // What was being written when passing on began is there by now.
      await clickhouse.command(
        'copy the latest detections',
        `${copy} WHERE received >= now64(3) - INTERVAL ${IN_FLIGHT_MINUTES} MINUTE`,
      );
    }
    await clickhouse.command('change the view detections', detectionsView(clickhouse.database));
  },
};
