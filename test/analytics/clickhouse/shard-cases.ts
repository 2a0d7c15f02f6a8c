import { beforeAll, expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { DEFAULT_RETENTION, migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { Lane } from '#analytics/clickhouse/port.ts';
import { listHosts } from '#analytics/clickhouse/read-models/activity.ts';
import { listDeadLetters, markRedriven } from '#analytics/clickhouse/read-models/dead-letters.ts';
import { detectorHabits } from '#analytics/clickhouse/read-models/detector-habits.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { changedBinaries } from '#analytics/clickhouse/read-models/fleet-crashes.ts';
import { removeSource } from '#analytics/clickhouse/remove-source.ts';
import { addressProblems, inspectAddresses, replicaGroups } from '#analytics/clickhouse/replica-check.ts';
import { createReplicatedClickHouse } from '#analytics/clickhouse/replicated-client.ts';
import { createShardedClickHouse } from '#analytics/clickhouse/sharded-client.ts';
import { WrongShards } from '#analytics/clickhouse/wrong-shards.ts';
import { LOCAL_TOPICS } from '#schemas/topics.ts';
import type { ClickHouseCluster, ClusterNode } from '#test/support/services/clickhouse-cluster.ts';
import { landRange, numbered, offsets, upTo } from './fixture.ts';

interface World {
  readonly cluster: () => ClickHouseCluster;
  readonly database: string;
  /** Closed after the last test. */
  readonly clients: ClickHouse[];
  /** Retries while the failure is temporary, as the pipeline does. */
  readonly landing: <T>(run: () => Promise<T>) => Promise<T>;
}

/** Test cases for two shards: three replicas in the first, one in the second. */
export function testShards({ cluster, database, clients, landing }: World): void {
  let sharded: ClickHouse;

  function connect(reversed = false, names: readonly (readonly string[])[] = addresses()): ClickHouse {
    const shards = reversed ? names.toReversed() : names;
    const common = { user: 'default', password: '', database, first: 0 };
    const made = createShardedClickHouse({ ...common, cluster: { name: cluster().name, shards } });
    clients.push(made);
    return made;
  }
  const addresses = () => cluster().shards.map((nodes) => nodes.map(({ url }) => url));
  const secondShard = () => cluster().shards[1]?.[0] as ClusterNode;
  const count = async (node: ClusterNode | undefined, lane: Lane) =>
    Number(await node?.query(`SELECT count() FROM ${database}.events WHERE topic = '${lane.topic}'`));
  /** A lane of the topic `spread` that is assigned to the shard. */
  async function spreadLane(shard: '1' | '2'): Promise<Lane> {
    const [row] = await sharded.rows<{ partition: string }>(
      'find a lane',
      `SELECT partition FROM ${database}.lane_shards WHERE topic = 'spread' AND shard = '${shard}'`,
    );
    return { topic: 'spread', partition: Number(row?.partition) };
  }
  const lanesOf = (topic: string) => [0, 1].map((partition): Lane => ({ topic, partition }));

  beforeAll(async () => {
    // The cluster grows from one shard, which already has a lane.
    const { name, urls } = { name: cluster().firstShard, urls: addresses()[0] ?? [] };
    const single = createReplicatedClickHouse({
      user: 'default',
      password: '',
      database,
      cluster: { name, urls },
    });
    clients.push(single);
    await migrate(single);
    const store = createLandingStore({ clickhouse: single });
    expect(await landing(() => landRange(store, { topic: 'grown', partition: 1 }, 0, 4, -1))).toEqual({
      outcome: 'landed',
    });
    sharded = connect();
    expect(await migrate(sharded)).toEqual([]);
  });

  test('a lane that has rows stays on their shard when another shard is added', async () => {
    const lane = { topic: 'grown', partition: 1 };
    const store = createLandingStore({ clickhouse: sharded });
    expect(await landing(() => store.marks(lane))).toEqual({ events: 4, deadLetters: -1 });
    expect(await landing(() => landRange(store, lane, 5, 9, 4))).toEqual({ outcome: 'landed' });
    expect(await count(secondShard(), lane)).toBe(0);
    expect(await offsets(sharded, lane)).toEqual(upTo(9));
  });

  test('lanes are spread over the shards, and every process finds them there', async () => {
    const stores = [connect(), sharded].map((clickhouse) => createLandingStore({ clickhouse }));
    const lanes = [0, 1, 2].map((partition): Lane => ({ topic: 'spread', partition }));
    // Concurrently: when two processes assign a shard to one lane, one of them wins.
    await Promise.all(lanes.flatMap((lane) => stores.map((store) => landing(() => store.marks(lane)))));
    for (const [index, lane] of lanes.entries()) {
      const store = stores[index % stores.length] as (typeof stores)[number];
      expect(await landing(() => landRange(store, lane, 0, 9, -1))).toEqual({ outcome: 'landed' });
      for (const other of stores) expect((await landing(() => other.marks(lane))).events).toBe(9);
    }
    expect(await count(secondShard(), { topic: 'spread', partition: 0 })).toBeGreaterThan(0);
    expect(
      (await sharded.rows('count', `SELECT DISTINCT partition FROM ${sharded.table('events')} WHERE topic = 'spread'`))
        .length,
    ).toBe(3);
    const records = await sharded.rows<{ shard: string }>(
      'read records',
      `SELECT shard, count() AS records FROM ${database}.lane_shards WHERE topic = 'spread' GROUP BY shard, partition`,
    );
    expect(records).toHaveLength(3);
    expect(new Set(records.map(({ shard }) => shard))).toEqual(new Set(['1', '2']));
  });

  test('lists, redrives and ingest ids span the shards', async () => {
    const store = createLandingStore({ clickhouse: sharded });
    for (const lane of lanesOf('lists')) {
      await landing(() => store.marks(lane));
      const events = store.openEvents(lane, Date.now());
      events.append(numbered(0, `id-${lane.partition}`));
      expect(await landing(() => store.landEvents(events, -1))).toEqual({ outcome: 'landed' });
      const letters = store.openDeadLetters(lane, Date.now());
      const rejection = { ok: false, code: 'empty_record', path: '$', message: 'x' } as const;
      letters.append({ offset: 1, rejection, raw: Buffer.alloc(0), key: null, ingestId: '' });
      expect(await landing(() => store.landDeadLetters(letters, -1))).toEqual({ outcome: 'landed' });
    }
    const [first, second] = lanesOf('lists') as [Lane, Lane];
    await markRedriven(sharded, [{ identity: { ...second, offset: 1 }, outcome: 'landed', triedMs: Date.now() }]);
    const letters = (await listDeadLetters(sharded, {}, { limit: 100 })).items.filter(
      ({ identity }) => identity.topic === 'lists',
    );
    expect(letters.map(({ identity, redriven }) => [identity.partition, redriven !== null]).sort()).toEqual([
      [first.partition, false],
      [second.partition, true],
    ]);
    const page = await listEvents(sharded, { hostname: 'host-0' }, { limit: 1_000 });
    expect(page.items.filter(({ topic }) => topic === 'lists')).toHaveLength(2);
    expect(await store.landedIngestIds(['id-0', 'id-1', 'id-2'])).toEqual(new Set(['id-0', 'id-1']));
    const hosts = await listHosts(sharded, { hostname: 'host-0' }, { limit: 10, sort: 'risk' });
    expect(hosts.items).toMatchObject([{ hostname: 'host-0', detections: 0 }]);
    expect(await detectorHabits(sharded)).toEqual([]);
    // A query on events with a subquery on events.
    expect(await changedBinaries(sharded, { sinceMs: 0 }, { windowSeconds: 60, minHosts: 1, minPlaces: 1 })).toEqual(
      [],
    );
  });

  test('addresses in wrong groups are refused, and so is another home shard', async () => {
    const [[a = '', b = '', c = ''] = [], [d = ''] = []] = addresses();
    const inspect = async (shards: readonly (readonly string[])[]) => {
      const client = connect(false, shards);
      return addressProblems(await inspectAddresses(replicaGroups(client), cluster().name), cluster().name);
    };
    expect(await inspect([[a, b, c], [d]])).toEqual([]);
    expect(await inspect([[a, b, c]])).toContainEqual(
      expect.stringMatching(/has 2 shards, and CLICKHOUSE_URL lists 1/),
    );
    expect(
      await inspect([
        [a, b],
        [c, d],
      ]),
    ).toContainEqual(expect.stringMatching(/put a semicolon between shards/));
    expect(await inspect([[a, b], [c]])).toContainEqual(expect.stringMatching(/put a comma between replicas/));
    expect(await inspect([[d], [a, b, c]])).toContainEqual(expect.stringMatching(/list that shard first/));
    const reversed = createLandingStore({ clickhouse: connect(true) });
    await expect(landing(() => reversed.marks({ topic: 'elsewhere', partition: 0 }))).rejects.toThrow(
      /comes first in CLICKHOUSE_URL/,
    );
    const without = createLandingStore({ clickhouse: connect(false, addresses().slice(0, 1)) });
    const lane = await spreadLane('2');
    await expect(landing(() => without.marks(lane))).rejects.toThrow(WrongShards);
  });

  test('without a shard, lanes of the other go on, new lanes wait, and tables are migrated', async () => {
    const [mine, other] = [await spreadLane('1'), await spreadLane('2')];
    await secondShard().kill9();
    try {
      const store = createLandingStore({ clickhouse: sharded });
      expect(await landing(() => store.marks(mine))).toEqual({ events: 9, deadLetters: -1 });
      expect(await landing(() => landRange(store, mine, 10, 19, 9))).toEqual({ outcome: 'landed' });
      await expect(store.marks(other)).rejects.toMatchObject({ temporary: true });
      await expect(store.marks({ topic: 'waits', partition: 0 })).rejects.toMatchObject({ temporary: true });
      await expect(listEvents(sharded, {}, { limit: 1 })).rejects.toMatchObject({ temporary: true });
      await migrate(sharded, { ...DEFAULT_RETENTION, events: 7 });
    } finally {
      await secondShard().restart();
    }
    const store = createLandingStore({ clickhouse: sharded });
    expect(await landing(() => store.marks(other))).toEqual({ events: 9, deadLetters: -1 });
    expect(await landing(() => store.marks({ topic: 'waits', partition: 0 }))).toEqual({ events: -1, deadLetters: -1 });
    await expect.poll(() => secondShard().query(`SHOW CREATE TABLE ${database}.events`)).toContain('toIntervalDay(8)');
  });

  test('a source is removed from all shards', async () => {
    const store = createLandingStore({ clickhouse: sharded });
    for (const lane of lanesOf(LOCAL_TOPICS.demo)) {
      await landing(() => store.marks(lane));
      expect(await landing(() => landRange(store, lane, 0, 4, -1))).toEqual({ outcome: 'landed' });
    }
    await removeSource(sharded, LOCAL_TOPICS.demo, 'unknown');
    for (const lane of lanesOf(LOCAL_TOPICS.demo)) expect(await offsets(sharded, lane)).toEqual([]);
  });
}
