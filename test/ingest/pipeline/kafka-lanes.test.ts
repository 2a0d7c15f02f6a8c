import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { EventConsumer, KafkaRecord } from '#ingest/kafka/port.ts';
import { createByteBudget } from '#ingest/pipeline/byte-budget.ts';
import { createKafkaLanes } from '#ingest/pipeline/kafka-lanes.ts';
import { createTestPipeline, deadOffsets, type LaneFixtureOptions, meddledStore } from '#test/support/lane-fixture.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());

/**
 * Lanes with a consumer whose positions the test controls: `seen` is the end of the partition at the last fetch, `end`
 * the current end.
 */
function openLanes(options: Pick<LaneFixtureOptions, 'store' | 'deps' | 'limits'> = {}) {
  const { pipeline, metrics, log } = createTestPipeline(clickhouse, options);
  const paused = new Set<number>();
  const failures: unknown[] = [];
  const position = { seen: 1000, end: 1000 };
  const endOf = async () => position.end;
  const lanes = createKafkaLanes({ pipeline, metrics, log, endOf, failed: (error) => failures.push(error) });
  lanes.attach({
    commit: async () => true,
    pause: ({ partition }) => void paused.add(partition),
    resume: ({ partition }) => void paused.delete(partition),
    highWatermark: () => position.seen,
  } as Partial<EventConsumer> as EventConsumer);
  return { lanes, paused, failures, position };
}

function refused(topic: string, from: number, count: number): KafkaRecord[] {
  return Array.from({ length: count }, (_, index) => {
    return {
      topic,
      partition: 0,
      offset: from + index,
      key: null,
      value: Buffer.from('{}'),
      headers: {},
    };
  });
}

describe('a partition that was paused', () => {
  it('continues when partitions are read again without a rebalance', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    const landing = Promise.withResolvers<void>();
    const store = meddledStore(createLandingStore({ clickhouse }), async (operation) => {
      if (operation === 'landDeadLetters') await landing.promise;
    });
    const { lanes, paused } = openLanes({ store, deps: { budget: createByteBudget(1) } });
    await lanes.assigned([at]);
    await lanes.batch(at, refused(at.topic, 0, 10));
    expect([...paused]).toEqual([0]);
    await lanes.assigned([at]);
    landing.resolve();
    await expect.poll(() => deadOffsets(clickhouse, at.topic)).toHaveLength(10);
    await lanes.close();
    expect([...paused]).toEqual([]);
  });

  it('does not stay paused by a batch from before it was revoked and reassigned', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    const marks = Promise.withResolvers<void>();
    const store = meddledStore(createLandingStore({ clickhouse }), async (operation) => {
      if (operation === 'marks') await marks.promise;
    });
    const { lanes, paused } = openLanes({ store, deps: { budget: createByteBudget(1) } });
    await lanes.assigned([at]);
    const [before] = lanes.lanes();
    before?.offer({ records: [], bytes: 100 });
    const late = lanes.batch(at, refused(at.topic, 0, 10));
    await lanes.assigned([]);
    await lanes.assigned([at]);
    marks.resolve();
    await late;
    expect([...paused]).toEqual([]);
    await lanes.close();
  });
});

describe('a partition that is far behind', () => {
  it('inserts its records as soon as the end is reached, without lingering', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    const { lanes, position } = openLanes({ limits: { lingerMs: () => 60_000 } });
    await lanes.assigned([at]);
    position.seen = 100_000;
    await lanes.batch(at, refused(at.topic, 0, 10));
    await expect.poll(() => lanes.lanes()[0]?.stats().queuedChunks).toBe(0);
    expect(lanes.lanes()[0]?.landedOffset()).toBe(-1);
    position.seen = 20;
    await lanes.batch(at, refused(at.topic, 10, 10));
    await expect.poll(() => deadOffsets(clickhouse, at.topic)).toHaveLength(20);
    await lanes.close();
  });
});

describe('a partition that was far behind and ends with control records', () => {
  it('inserts its records without lingering', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    const { lanes, position } = openLanes({ limits: { lingerMs: () => 60_000 } });
    await lanes.assigned([at]);
    position.seen = 100_000;
    await lanes.batch(at, refused(at.topic, 0, 10));
    position.seen = 21;
    await lanes.batch(at, refused(at.topic, 10, 10));
    await expect.poll(() => deadOffsets(clickhouse, at.topic)).toHaveLength(20);
    await lanes.close();
  });
});

describe('partitions that are far behind', () => {
  it('are read in turn, and each inserts its records without waiting for its next turn', async () => {
    const topic = randomName('topic');
    const [first, second] = [
      { topic, partition: 0 },
      { topic, partition: 1 },
    ];
    const { lanes, paused, position } = openLanes({ limits: { lingerMs: () => 60_000 } });
    await lanes.assigned([first, second]);
    position.seen = 100_000;
    await lanes.batch(first, refused(topic, 0, 10));
    await lanes.batch(second, refused(topic, 0, 10));
    expect([...paused]).toEqual([1]);
    await expect.poll(() => lanes.lanes().map((lane) => lane.landedOffset())).toEqual([-1, 9]);
    expect(await deadOffsets(clickhouse, topic)).toHaveLength(10);
    position.seen = 20;
    await lanes.batch(first, refused(topic, 10, 10));
    expect([...paused]).toEqual([]);
    await expect.poll(() => deadOffsets(clickhouse, topic)).toHaveLength(30);
    await lanes.close();
  });
});

describe('accepted records', () => {
  it('are reported as waiting until they are stored and committed', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    const landing = Promise.withResolvers<void>();
    const store = meddledStore(createLandingStore({ clickhouse }), async (operation) => {
      if (operation === 'landDeadLetters') await landing.promise;
    });
    const { lanes } = openLanes({ store });
    await lanes.assigned([at]);
    expect(await lanes.waiting()).toEqual([]);
    await lanes.batch(at, refused(at.topic, 0, 10));
    await expect.poll(async () => (await lanes.waiting())[0]?.seconds).toBeGreaterThan(0.05);
    landing.resolve();
    await expect.poll(() => lanes.waiting()).toEqual([{ ...at, seconds: 0 }]);
    await lanes.assigned([]);
    expect(await lanes.waiting()).toEqual([]);
    await lanes.close();
  });
});

describe('a partition whose end is below the stored offset', () => {
  async function landed(topic: string, count: number): Promise<void> {
    const { lanes } = openLanes();
    await lanes.assigned([{ topic, partition: 0 }]);
    await lanes.batch({ topic, partition: 0 }, refused(topic, 0, count));
    await lanes.close();
  }

  it('was recreated: its records do not count as stored, even if only dead letters are stored', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    await landed(at.topic, 20);
    const { lanes, position } = openLanes();
    Object.assign(position, { seen: 5, end: 5 });
    await lanes.assigned([at]);
    await expect(lanes.batch(at, refused(at.topic, 0, 5))).rejects.toThrow('the topic was recreated');
    await lanes.close();
  });

  it('may have ended there when this process stopped, while another process stored more', async () => {
    const at = { topic: randomName('topic'), partition: 0 };
    await landed(at.topic, 20);
    const { lanes, position } = openLanes();
    Object.assign(position, { seen: 5, end: 20 });
    await lanes.assigned([at]);
    await lanes.batch(at, refused(at.topic, 0, 5));
    await lanes.close();
    expect(await deadOffsets(clickhouse, at.topic)).toHaveLength(20);
  });
});
