import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { MIGRATIONS, migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import { removeSource } from '#analytics/clickhouse/remove-source.ts';
import { addressProblems, inspectAddresses, replicaGroups } from '#analytics/clickhouse/replica-check.ts';
import { createReplicatedClickHouse } from '#analytics/clickhouse/replicated-client.ts';
import { LOCAL_TOPICS } from '#schemas/topics.ts';
import { serviceFiles } from '#test/support/install-services.mjs';
import {
  type ClickHouseCluster,
  type ClusterNode,
  startClickHouseCluster,
} from '#test/support/services/clickhouse-cluster.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { waitFor } from '#test/support/wait-for.ts';
import { landRange, numbered, offsets, upTo } from './fixture.ts';
import { testShards } from './shard-cases.ts';

const DATABASE = 'replicated';
/** The settings that docs/operations/clickhouse-cluster.md lists. */
const COPIED = [
  'events',
  'dead_letter_records',
  'dead_letter_redrives',
  'detection_records',
  'detection_triage',
  'detection_silences',
  'detection_traces',
  'tracker_snapshots',
  'api_requests',
];
const USER = { user: 'default', password: '' };

// Skips the installation if the environment names running services.
describe.skipIf(!existsSync(serviceFiles().zooKeeperJars))('a shard of three replicas', { timeout: 120_000 }, () => {
  let cluster: ClickHouseCluster;
  const clients: ClickHouse[] = [];

  beforeAll(async () => {
    cluster = await startClickHouseCluster({ shards: [3, 1] });
  }, 120_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await cluster.stop();
  });

  const node = (index: number) => cluster.nodes[index] as ClusterNode;
  const ofShard = () => cluster.shards[0] ?? [];
  const urls = () => ofShard().map(({ url }) => url);

  /** A client that prefers one replica. */
  function client(first: number, database = DATABASE): ClickHouse {
    const made = createReplicatedClickHouse({
      ...USER,
      database,
      cluster: { name: cluster.firstShard, urls: urls() },
      first,
      liveness: { suspectAfterMs: 500, pingMs: 500 },
    });
    clients.push(made);
    return made;
  }

  const rowsOf = (lane: Lane) =>
    Promise.all(
      ofShard().map(({ query }) => query(`SELECT count() FROM ${DATABASE}.events WHERE topic = '${lane.topic}'`)),
    );
  const fetches = (verb: 'STOP' | 'START', nodes: readonly ClusterNode[]) =>
    Promise.all(nodes.map(({ query }) => query(`SYSTEM ${verb} FETCHES ${DATABASE}.events`)));

  /** Retries while the failure is temporary, as the pipeline does. */
  async function landing<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        await pause(50);
      }
    }
  }

  test('each replica has every table, also one that was absent when they were created', async () => {
    await node(2).kill9();
    expect(await migrate(client(0))).toEqual(MIGRATIONS.map(({ number }) => number));
    await node(2).restart();
    expect(await migrate(client(2))).toEqual([]);
    const tables = "SELECT name, engine FROM system.tables WHERE database = 'replicated' ORDER BY name";
    const expected = await node(0).query(tables);
    expect(expected).toContain('events\tReplicatedReplacingMergeTree');
    expect(expected.match(/Replicated/g)).toHaveLength(11);
    await waitFor('the tables of the third replica', async () => (await node(2).query(tables)) === expected);
  });

  test('rejects a database of one server with a cluster, and replicated tables without one', async () => {
    const [url = ''] = urls();
    const single = connectClickHouse({ ...USER, shards: [[url]], database: 'single' });
    const without = connectClickHouse({ ...USER, shards: [[url]], database: DATABASE });
    clients.push(single, without);
    await migrate(single);
    await expect(migrate(client(0, 'single'))).rejects.toThrow(/those of one server/);
    await expect(migrate(without)).rejects.toThrow(/set CLICKHOUSE_CLUSTER/);
  });

  test('rows of one server are copied, and the lane continues after them', async () => {
    const lane = { topic: 'copied', partition: 0 };
    const single = connectClickHouse({ ...USER, shards: [urls().slice(0, 1)], database: 'single' });
    clients.push(single);
    expect(await landRange(createLandingStore({ clickhouse: single }), lane, 0, 9, -1)).toEqual({ outcome: 'landed' });
    const port = await node(0).query('SELECT tcpPort()');
    for (const table of COPIED)
      await node(1).query(
        `INSERT INTO ${DATABASE}.${table} SELECT * FROM remote('127.0.0.1:${port}', 'single', '${table}', 'default', '')`,
      );
    const store = createLandingStore({ clickhouse: client(2) });
    expect((await landing(() => store.marks(lane))).events).toBe(9);
    expect(await landing(() => landRange(store, lane, 10, 19, 9))).toEqual({ outcome: 'landed' });
    expect(await offsets(client(2), lane)).toEqual(upTo(19));
  });

  test('a stored block is on a majority, and a repeat on another replica changes nothing', async () => {
    const lane = { topic: 'majority', partition: 0 };
    const stores = [0, 1, 2].map((first) => createLandingStore({ clickhouse: client(first) }));
    const block = (stores[0] as LandingStore).openEvents(lane, Date.now());
    for (const offset of upTo(9)) block.append(numbered(offset));
    for (const store of stores) expect(await store.landEvents(block, -1)).toEqual({ outcome: 'landed' });
    for (const store of stores) expect((await store.marks(lane)).events).toBe(9);
    expect(await rowsOf(lane)).toEqual(['10', '10', '10']);
  });

  test('of owners on three replicas exactly one wins each step', async () => {
    const lane = { topic: 'race', partition: 0 };
    const last = 60;
    async function run(first: number, sizes: number): Promise<void> {
      const store = createLandingStore({ clickhouse: client(first) });
      let mark = (await landing(() => store.marks(lane))).events;
      for (let step = 0; mark < last; step++) {
        const end = Math.min(last, mark + 1 + ((step * 7) % sizes));
        const from = mark;
        const answer = await landing(() => landRange(store, lane, from + 1, end, from));
        mark = answer.outcome === 'landed' ? end : (await landing(() => store.marks(lane))).events;
      }
    }
    await Promise.all([run(0, 11), run(1, 6), run(2, 3)]);
    for (const index of [0, 1, 2]) {
      const replica = client(index);
      await replica.replicas?.catchUp('events');
      expect(await offsets(replica, lane)).toEqual(upTo(last));
    }
  });

  test('a mark counts for another process when a majority of the replicas has its row', async () => {
    const lane = { topic: 'takeover', partition: 0 };
    const writer = createLandingStore({ clickhouse: client(0) });
    const taker = createLandingStore({ clickhouse: client(0) });
    await fetches('STOP', [node(1), node(2)]);
    const landed = landing(() => landRange(writer, lane, 0, 4, -1));
    await waitFor('the row on the first replica', async () => (await rowsOf(lane))[0] === '5');
    await expect(taker.marks(lane)).rejects.toMatchObject({ code: 'ROWS_WITHOUT_QUORUM', temporary: true });
    await fetches('START', [node(1), node(2)]);
    expect(await landed).toEqual({ outcome: 'landed' });
    expect((await taker.marks(lane)).events).toBe(4);
  });

  test('an ingest id counts as stored when a majority of the replicas has its row', async () => {
    const lane = { topic: 'repeats', partition: 0 };
    const store = createLandingStore({ clickhouse: client(0) });
    const block = store.openEvents(lane, Date.now());
    block.append(numbered(0, 'sender/1'));
    await fetches('STOP', [node(1), node(2)]);
    const landed = landing(() => store.landEvents(block, -1));
    await waitFor('the row on the first replica', async () => (await rowsOf(lane))[0] === '1');
    const lookUp = () => createLandingStore({ clickhouse: client(0) }).landedIngestIds(['sender/1', 'sender/2']);
    await expect(lookUp()).rejects.toMatchObject({ code: 'ROWS_WITHOUT_QUORUM', temporary: true });
    await fetches('START', [node(1), node(2)]);
    expect(await landed).toEqual({ outcome: 'landed' });
    expect(await lookUp()).toEqual(new Set(['sender/1']));
  });

  test('a block whose only replica fails is written again, once', async () => {
    const lane = { topic: 'given up', partition: 0 };
    const store = createLandingStore({ clickhouse: client(0) });
    const block = store.openEvents(lane, Date.now());
    for (const offset of upTo(9)) block.append(numbered(offset));
    await fetches('STOP', [node(1), node(2)]);
    const landed = landing(() => store.landEvents(block, -1));
    await waitFor('the row on the first replica', async () => (await rowsOf(lane))[0] === '10');
    await node(0).kill9();
    await fetches('START', [node(1), node(2)]);
    expect(await landed).toEqual({ outcome: 'landed' });
    expect(await landing(() => landRange(store, lane, 10, 19, 9))).toEqual({ outcome: 'landed' });
    await node(0).restart();
    await waitFor('all replicas to agree', async () => (await rowsOf(lane)).every((count) => count === '20'));
  });

  test('reads and inserts leave a frozen replica for another one', async () => {
    const lane = { topic: 'frozen', partition: 0 };
    const frozen = client(1);
    const store = createLandingStore({ clickhouse: frozen });
    await store.marks(lane);
    await node(1).freeze();
    try {
      expect(await landing(() => landRange(store, lane, 0, 4, -1))).toEqual({ outcome: 'landed' });
      expect(frozen.replicas?.epoch()).toBe(1);
    } finally {
      await node(1).thaw();
    }
    await waitFor('all replicas to agree', async () => (await rowsOf(lane)).every((count) => count === '5'));
  });

  test('a source is removed while a replica is absent, which removes it when it returns', async () => {
    const lane = { topic: LOCAL_TOPICS.http, partition: 0 };
    const store = createLandingStore({ clickhouse: client(0) });
    expect(await landing(() => landRange(store, lane, 0, 4, -1))).toEqual({ outcome: 'landed' });
    await waitFor('all replicas to agree', async () => (await rowsOf(lane)).every((count) => count === '5'));
    await node(2).kill9();
    await waitFor(
      'the session of the replica to end',
      async () =>
        (await node(0).query(
          `SELECT active_replicas FROM system.replicas WHERE database = '${DATABASE}' AND table = 'events'`,
        )) === '2',
    );
    await removeSource(client(0), lane.topic, 'unknown');
    await node(2).restart();
    await waitFor('all replicas to agree', async () => (await rowsOf(lane)).every((count) => count === '0'));
  });

  test('rejects addresses that are not one replica each', async () => {
    const [a = '', b = ''] = urls();
    const balancer = await roundRobin([a, b]);
    const inspect = async (addresses: readonly string[], name = cluster.firstShard) => {
      const through = createReplicatedClickHouse({ ...USER, database: DATABASE, cluster: { name, urls: addresses } });
      clients.push(through);
      return addressProblems(await inspectAddresses(replicaGroups(through), name), name);
    };
    try {
      expect(await inspect(urls())).toEqual([]);
      expect((await inspect([balancer.url, a, b]))[0]).toMatch(/is a load balancer in front of 2 replicas/);
      expect(await inspect([a, b, a])).toEqual([expect.stringMatching(/are the same server/)]);
      expect(await inspect([a])).toEqual([expect.stringMatching(/has 3 replicas: list a majority/)]);
      expect(await inspect([a, b], 'elsewhere')).toContainEqual(expect.stringMatching(/does not know the cluster/));
      expect(await inspect([a, b, `http://127.0.0.1:${await freePort()}`])).toEqual([]);
    } finally {
      await balancer.close();
    }
  });

  describe('and another shard', () => testShards({ cluster: () => cluster, database: 'sharded', clients, landing }));
});

/** A TCP load balancer. */
async function roundRobin(targets: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  let connections = 0;
  const server = createServer((socket) => {
    const target = connect(Number(new URL(targets[connections++ % targets.length] as string).port), '127.0.0.1');
    socket.pipe(target).pipe(socket);
    for (const end of [socket, target]) end.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
