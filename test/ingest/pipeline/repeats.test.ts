import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { COUNTED, type PipelineRecord } from '#ingest/pipeline/pipeline-record.ts';
import type { DeadLetterMessage } from '#ingest/pipeline/publish.ts';
import { deadOffsets, meddledStore, openTestLane } from '#test/support/lane-fixture.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());

it('recognises the repeat of an event that is still in flight, regardless of the number of events in between', async () => {
  const topic = randomName('local');
  const landing = Promise.withResolvers<void>();
  const store = meddledStore(createLandingStore({ clickhouse }), async (operation) => {
    if (operation === 'landDeadLetters') await landing.promise;
  });
  const { lane, send } = openTestLane(clickhouse, { topic, counted: true, store, limits: { batchRecords: 1_000_000 } });
  const upload = Array.from({ length: 105_000 }, (_, position): PipelineRecord => {
    return { offset: COUNTED, key: null, value: Buffer.from('{}'), ingestId: `${topic}/${position}` };
  });
  // The sender times out and sends the same events again.
  const answers = [send(upload), send(upload)];
  await expect.poll(() => lane.stats().queuedChunks).toBe(0);
  landing.resolve();
  await Promise.all(answers);
  await lane.close();
  expect((await deadOffsets(clickhouse, topic)).length).toBe(upload.length);
});

it('queries the ids of many small submissions together, and stores each id once', async () => {
  const topic = randomName('local');
  const opened = Promise.withResolvers<void>();
  let questions = 0;
  const store = meddledStore(createLandingStore({ clickhouse }), async (operation) => {
    if (operation === 'marks') await opened.promise;
    if (operation === 'landedIngestIds') questions++;
  });
  const { lane, send } = openTestLane(clickhouse, { topic, counted: true, store, limits: { batchRecords: 100 } });
  // Every third submission repeats the first of its group.
  const submissions = Array.from({ length: 300 }, (_, n) => {
    const first = n % 3 === 2 ? n - 2 : n;
    return [0, 1, 2].map((i): PipelineRecord => {
      return { offset: COUNTED, key: null, value: Buffer.from('{}'), ingestId: `${topic}/${first}/${i}` };
    });
  });
  const answers = submissions.map(send);
  opened.resolve();
  await Promise.all(answers);
  await lane.close();
  expect((await deadOffsets(clickhouse, topic)).length).toBe(600);
  expect(questions).toBeLessThan(30);
});

it('publishes a dead letter with an ingest id, even if the process stopped after the insert', async () => {
  const topic = randomName('topic');
  const records = [10, 11].map((offset): PipelineRecord => {
    return { offset, key: null, value: Buffer.from(`{"n":${offset}}`), ingestId: `${topic}/one sender's` };
  });
  const publisher = (published: number[], broken: boolean) => ({
    detections: async () => {},
    async deadLetters(messages: readonly DeadLetterMessage[]) {
      if (broken) throw new Error('cut off');
      published.push(...messages.map(({ identity }) => identity.offset));
    },
  });
  const published: number[] = [];
  const first = openTestLane(clickhouse, { topic, deps: { publisher: publisher(published, true) } });
  await expect(first.send(records)).rejects.toThrow('cut off');
  expect(await deadOffsets(clickhouse, topic)).toEqual([10]);

  const second = openTestLane(clickhouse, { topic, deps: { publisher: publisher(published, false) } });
  await second.send(records);
  await second.lane.close();
  expect(published).toEqual([10]);
  expect(await deadOffsets(clickhouse, topic)).toEqual([10]);
});
