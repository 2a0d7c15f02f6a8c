import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { bytesOf, COUNTED, type PipelineRecord } from '#ingest/pipeline/pipeline-record.ts';
import {
  deadOffsets,
  landedNumbers,
  meddledStore,
  openTestLane,
  storedDetections,
  temporaryFailure,
  undisturbedDetections,
} from '#test/support/lane-fixture.ts';
import { type NumberedRecord, numberedRecords } from '#test/support/numbered-records.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());

/** Numbered records of one partition. The number is the offset. */
function partitionOf(
  count: number,
  seed = 1,
  hostPrefix = 'host',
): { sent: NumberedRecord[]; records: PipelineRecord[] } {
  const sent = numberedRecords(seededRandom(seed), 0, count, hostPrefix);
  return { sent, records: sent.map(toRecord) };
}

function toRecord({ number, key, value }: NumberedRecord): PipelineRecord {
  return { offset: number, key: Buffer.from(key), value, ingestId: '' };
}

function numbers(sent: readonly NumberedRecord[], fate: NumberedRecord['fate']): number[] {
  return sent.filter((record) => record.fate === fate).map((record) => record.number);
}

describe('a lane', () => {
  it('stores every event once and every rejected record as a dead letter, then commits', async () => {
    const topic = randomName('topic');
    const { sent, records } = partitionOf(3000);
    const { lane, send, commits } = openTestLane(clickhouse, { topic });
    const outcomes = await Promise.all([
      send(records.slice(0, 10)),
      send(records.slice(10, 2500)),
      send(records.slice(2500)),
    ]);
    await lane.close();

    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
    expect(await deadOffsets(clickhouse, topic)).toEqual(numbers(sent, 'dead'));
    expect(outcomes.map((outcome) => outcome.accepted + outcome.rejected.length)).toEqual([10, 2490, 500]);
    expect(commits.at(-1)).toBe(3000);
  });

  describe('whose linger time is an hour', () => {
    const limits = { batchRecords: 100_000, lingerMs: () => 3_600_000, idleLingerMs: 0, earlyIntervalMs: 0 };

    it('inserts events that a sender waits for immediately', async () => {
      const { records } = partitionOf(200);
      const { lane, send, commits } = openTestLane(clickhouse, { topic: randomName('topic'), limits });
      await send(records.slice(0, 100));
      await send(records.slice(100));
      await waitFor('the commit', () => commits.at(-1) === 200);
      await lane.close();
    });

    it('inserts a new detection immediately, even if no sender waits', async () => {
      const prefix = randomName('host');
      const { records } = partitionOf(1_500, 1, prefix);
      const { lane, commits } = openTestLane(clickhouse, { topic: randomName('topic'), limits });
      const offer = (some: readonly PipelineRecord[]) => lane.offer({ records: some, bytes: bytesOf(some) });
      offer(records.slice(0, 100));
      await waitFor('the first commit', () => commits.at(-1) === 100);
      offer(records.slice(100));
      await waitFor('the second commit', () => commits.at(-1) === 1_500);
      expect(await storedDetections(clickhouse, prefix)).toEqual(undisturbedDetections(records));
      await lane.close();
    });
  });

  it('reports what its rules have evicted since it was opened, not what another process reported before', async () => {
    const topic = randomName('topic');
    const { records } = partitionOf(1000);
    const settings = detectionSettingsSchema.parse({ limits: { maxPrograms: 4 } });
    const open = () =>
      openTestLane(clickhouse, { topic, deps: { rules: { createTracker, settings: () => settings } } });
    const first = open();
    await first.send(records.slice(0, 900));
    await first.lane.close();
    expect(first.lane.stats().evictions).toBeGreaterThan(0);

    const second = open();
    await second.lane.opened;
    expect(second.lane.stats().evictions).toBe(0);
    await second.send(records.slice(900));
    expect(second.lane.stats().evictions).toBeGreaterThan(0);
    await second.lane.close();
  });

  it('recognises redelivered records', async () => {
    const topic = randomName('topic');
    const { sent, records } = partitionOf(1500, 2);
    const first = openTestLane(clickhouse, { topic });
    await first.send(records.slice(0, 900));
    await first.send(records.slice(300, 1000));
    await first.lane.close();
    const second = openTestLane(clickhouse, { topic });
    await second.send(records);
    await second.lane.close();
    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
    expect(await deadOffsets(clickhouse, topic)).toEqual(numbers(sent, 'dead'));
  });

  it.each(['landDeadLetters', 'landDetections', 'landEvents', 'saveSnapshot'] as const)(
    'loses and duplicates nothing when it is cut off before %s, and derives the same detections',
    async (operation) => {
      const topic = randomName('topic');
      const { sent, records } = partitionOf(4000, 3, topic);
      let calls = 0;
      const broken = meddledStore(createLandingStore({ clickhouse }), (name) => {
        if (name === operation && ++calls === 2) throw new Error('cut off');
      });
      const first = openTestLane(clickhouse, { topic, store: broken });
      for (let from = 0; from < 4000; from += 100) void first.send(records.slice(from, from + 100)).catch(() => {});
      await expect.poll(() => first.failures.length).toBe(1);

      const second = openTestLane(clickhouse, { topic });
      await second.send(records);
      await second.lane.close();
      expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
      expect(await deadOffsets(clickhouse, topic)).toEqual(numbers(sent, 'dead'));
      const detections = await storedDetections(clickhouse, topic);
      expect(detections.length).toBeGreaterThan(10);
      expect(detections).toEqual(undisturbedDetections(records));
    },
  );

  it('waits until an unavailable store is available again', async () => {
    const topic = randomName('topic');
    const { sent, records } = partitionOf(500, 4);
    let failures = 0;
    const flaky = meddledStore(createLandingStore({ clickhouse }), (name) => {
      if (failures++ % 3 !== 2) throw temporaryFailure(name);
    });
    const { lane, send, registry } = openTestLane(clickhouse, { topic, store: flaky });
    await send(records);
    await lane.close();
    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
    expect(await registry.metrics()).toContain('trapline_pipeline_retries_total{operation="open lane"} 2');
  });

  it('stores each event once when a zombie process writes to the same partition', async () => {
    const topic = randomName('topic');
    const { sent, records } = partitionOf(6000, 5, topic);
    const lanes = [700, 1100, 1300].map((batchRecords) =>
      openTestLane(clickhouse, { topic, limits: { batchRecords, lingerMs: () => 1 } }),
    );
    await Promise.all(
      lanes.map(async ({ send }, index) => {
        const step = 90 + index * 37;
        const landings: Promise<unknown>[] = [];
        for (let from = 0; from < records.length; from += step) landings.push(send(records.slice(from, from + step)));
        await Promise.all(landings);
      }),
    );
    await Promise.all(lanes.map(({ lane }) => lane.close()));
    expect(lanes.flatMap(({ failures }) => failures)).toEqual([]);
    expect(await storedDetections(clickhouse, topic)).toEqual(undisturbedDetections(records));
    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
    expect(await deadOffsets(clickhouse, topic)).toEqual(numbers(sent, 'dead'));
  });

  it('recognises events that a sender repeats, also after a restart', async () => {
    const topic = randomName('topic');
    const { sent } = partitionOf(200, 6);
    const named = (suffix: string) =>
      sent.map(
        ({ value, number }): PipelineRecord => ({ offset: COUNTED, key: null, value, ingestId: `${suffix}/${number}` }),
      );
    const batch = randomName('batch');
    const first = openTestLane(clickhouse, { topic, counted: true });
    const answers: unknown[] = await Promise.all([first.send(named(batch)), first.send(named(batch))]);
    await first.lane.close();
    const second = openTestLane(clickhouse, { topic, counted: true });
    answers.push(await second.send(named(batch)));
    await second.lane.close();
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
    expect(await deadOffsets(clickhouse, topic)).toHaveLength(numbers(sent, 'dead').length);
  });

  it('inserts in time even if the clock is set back during the linger', async () => {
    const topic = randomName('topic');
    const { sent, records } = partitionOf(20, 9);
    let clock = Date.now();
    const { lane, send } = openTestLane(clickhouse, { topic, deps: { nowMs: () => (clock -= 3_600_000) } });
    await send(records);
    await lane.close();
    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
  });

  it('continues the offsets of local sources from the last stored one', async () => {
    const topic = randomName('local');
    const { sent } = partitionOf(300, 7);
    for (const part of [sent.slice(0, 100), sent.slice(100, 101), sent.slice(101)]) {
      const { lane, send } = openTestLane(clickhouse, { topic, counted: true });
      await send(part.map(({ value }) => ({ offset: COUNTED, key: null, value, ingestId: '' })));
      await lane.close();
    }
    expect(await landedNumbers(clickhouse, topic)).toEqual(numbers(sent, 'event'));
    expect(await deadOffsets(clickhouse, topic)).toEqual(numbers(sent, 'dead'));
  });

  it('inserts the first records after a pause immediately, and batches those that follow soon', async () => {
    const topic = randomName('topic');
    const { records } = partitionOf(3, 9);
    const { lane, send } = openTestLane(clickhouse, { topic, limits: { lingerMs: () => 60_000, idleLingerMs: 1 } });
    await send(records.slice(0, 1));
    expect(lane.landedOffset()).toBe(0);
    const second = send(records.slice(1, 2));
    const third = send(records.slice(2));
    expect(lane.landedOffset()).toBe(0);
    // Closing lands the records that wait.
    await lane.close();
    await Promise.all([second, third]);
    expect(lane.landedOffset()).toBe(2);
  });

  it('inserts and commits nothing after it was closed', async () => {
    const topic = randomName('topic');
    const { records } = partitionOf(100, 8);
    const { lane, send, commits } = openTestLane(clickhouse, { topic, limits: { lingerMs: () => 60_000 } });
    await lane.opened;
    const sending = send(records);
    lane.abandon();
    await expect(sending).rejects.toThrow('abandoned');
    await expect(send(records)).rejects.toThrow('no more records');
    expect(commits).toEqual([]);
    expect(await landedNumbers(clickhouse, topic)).toEqual([]);
  });
});
