import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { COUNTED, type PipelineRecord } from '#ingest/pipeline/pipeline-record.ts';
import {
  landedNumbers,
  meddledStore,
  openTestLane,
  storedDetections,
  undisturbedDetections,
} from '#test/support/lane-fixture.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());

/** Crash `n` of a program whose return address is being guessed step by step. */
function crash(host: string, n: number): Buffer {
  const time = new Date(Date.parse('2026-03-01T00:00:00Z') + n * 1000).toISOString();
  return Buffer.from(
    `{"version":"V1","n":${n},"timestamp":"${time}","hostname":"${host}","event":{"type":"LinuxKernelTrap","facility":"Kern","level":"Info",` +
      `"file":"gateway","vmastart":4198400,"vmasize":4096,"procname":"gateway","pid":${n + 2},"ip":${4198400 + n * 2},"sp":140722836900784,` +
      `"trap":{"type":"Segfault","location":${4198400 + n * 2}},"errcode":{"access_mode":"User","access_type":"Read","instruction_fetch":true,` +
      '"protection_keys_block_access":false,"reason":"NoPageFound","use_of_reserved_bit":false}}}',
  );
}

const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, n) => n);

it('does not mistake a rival block that ends at the same offset for its own', async () => {
  const topic = randomName('topic');
  const records = upTo(59).map((n): PipelineRecord => {
    return { offset: n, key: null, value: crash(`${topic}-1`, n), ingestId: n < 19 ? `${topic}/${n}` : '' };
  });
  // The rival lands the same records after this lane has read its marks and before it queries the ingest ids.
  let rivalHasLanded = false;
  const store = meddledStore(createLandingStore({ clickhouse }), async (operation) => {
    if (operation !== 'landedIngestIds' || rivalHasLanded) return;
    rivalHasLanded = true;
    const rival = openTestLane(clickhouse, { topic });
    await rival.send(records.slice(0, 20));
    await rival.lane.close();
  });
  const { lane, send } = openTestLane(clickhouse, { topic, store });
  await send(records.slice(0, 20));
  await send(records.slice(20));
  await lane.close();

  expect(await landedNumbers(clickhouse, topic)).toEqual(upTo(59));
  const expected = undisturbedDetections(records);
  expect(expected.length).toBeGreaterThan(0);
  expect(await storedDetections(clickhouse, topic)).toEqual(expected);
});

it('stores no detection from a batch in which it skipped records that a rival stored', async () => {
  const topic = randomName('topic');
  const records = upTo(59).map((n): PipelineRecord => {
    return { offset: n, key: null, value: crash(`${topic}-1`, n), ingestId: `${topic}/${n}` };
  });
  // The lane opens at the start of the topic. The rival lands the first 20 records before the lane processes all 60.
  const { lane, send } = openTestLane(clickhouse, { topic });
  await lane.opened;
  const rival = openTestLane(clickhouse, { topic });
  await rival.send(records.slice(0, 20));
  await rival.lane.close();
  await send(records);
  await lane.close();

  expect(await landedNumbers(clickhouse, topic)).toEqual(upTo(59));
  expect(await storedDetections(clickhouse, topic)).toEqual(undisturbedDetections(records));
});

it('does not lose an event of a local source to a late insert of its crashed predecessor', async () => {
  const topic = randomName('local');
  const { lane, send } = openTestLane(clickhouse, { topic, counted: true });
  await lane.opened;
  const predecessor = openTestLane(clickhouse, { topic, counted: true });
  await predecessor.send([{ offset: COUNTED, key: null, value: crash('late', 0), ingestId: '' }]);
  await send([{ offset: COUNTED, key: null, value: crash('late', 1), ingestId: '' }]);
  await Promise.all([lane.close(), predecessor.lane.close()]);
  expect(await landedNumbers(clickhouse, topic)).toEqual([0, 1]);
});
