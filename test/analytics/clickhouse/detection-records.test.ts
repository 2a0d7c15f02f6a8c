import { expect, test } from 'vitest';
import { detectionRow } from '#analytics/clickhouse/detection-rows.ts';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import { detectionRecords } from '#analytics/clickhouse/migrations/0006-detection-records.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { createTableStatement, type Table } from '#analytics/clickhouse/table.ts';
import { type DetectionTableRow, detectionRecordsTable } from '#analytics/clickhouse/tables/detection-records.ts';
import { detection, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const DAY = 86_400_000;

/** Where detections were written before step 6. */
const before: Table<DetectionTableRow> = {
  ...detectionRecordsTable,
  name: 'detection_revisions',
  computed: [],
  settings: {},
};
const one = (number: number, revision = 1) => detection({ id: `det_${String(number).padStart(32, '0')}`, revision });
const landBefore = (receivedMs: number, ...of: ReturnType<typeof one>[]) =>
  insertRows(
    clickhouse,
    before,
    of.map((detection) => detectionRow(detection, receivedMs)),
  );
const listed = async () => (await listDetections(clickhouse, {}, { limit: 100 })).items;

test('detections of before are there after the step, also those that processes of before still write, also when it is done twice', async () => {
  await clickhouse.command('go back', createTableStatement(clickhouse.database, before, 730));
  await landBefore(Date.now() - 300 * DAY, one(1), one(2));
  await landBefore(Date.now(), one(2, 2));
  expect(await listed()).toEqual([]);

  const context = { clickhouse, retentionDays: 730 };
  await Promise.all([detectionRecords.run(context), detectionRecords.run(context), landBefore(Date.now(), one(3))]);
  expect(await listed()).toEqual([one(3), one(2, 2), one(1)]);

  await landBefore(Date.now(), one(1, 2), one(4));
  await store.landDetections([one(3, 2)]);
  await detectionRecords.run(context);
  expect(await listed()).toEqual([one(4), one(3, 2), one(2, 2), one(1, 2)]);
});
