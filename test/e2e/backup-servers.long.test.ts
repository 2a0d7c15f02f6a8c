import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { TOPICS } from '#schemas/topics.ts';
import { clusterSettings as topicSettings } from '#test/support/cluster-settings.ts';
import { serviceFiles } from '#test/support/install-services.mjs';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { randomName } from '#test/support/random-name.ts';
import { type ClickHouseCluster, startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { type S3Server, startS3Server } from '#test/support/services/s3-server.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { useKafka, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import {
  changeSomething,
  countOf,
  crash,
  detectionsOf,
  endServices,
  inHome,
  type Settings,
  start,
  trapline,
} from './backup-services.ts';

/** Tests `trapline backup` and `trapline restore` with ClickHouse servers that write to a disk or to a bucket. */

// ZooKeeper is not installed when environment variables name the services of the test run.
describe.skipIf(!existsSync(serviceFiles().zooKeeperJars))('ClickHouse servers', () => {
  let cluster: ClickHouseCluster;
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server(inHome('s3'));
    cluster = await startClickHouseCluster({ shards: [2, 1] });
  }, 120_000);
  afterAll(async () => {
    await cluster?.stop();
    await s3?.close();
  });

  /** Returns the settings of new databases in ClickHouse and PostgreSQL, and of a new data directory. */
  async function stores(name: string) {
    const postgres = await usePostgres({ migrated: false });
    return {
      DATABASE_URL: postgres.url,
      CLICKHOUSE_USER: 'default',
      CLICKHOUSE_DATABASE: randomName('backup'),
      TRAPLINE_DATA_DIR: inHome(name),
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    };
  }

  async function succeed(args: readonly string[], settings: Settings): Promise<string> {
    const { code, text } = await trapline(args, settings);
    expect(code, text).toBe(0);
    return text;
  }

  it('one server writes to a disk and to a bucket, and restores from both', { timeout: 900_000 }, async () => {
    const [node] = cluster.nodes;
    if (node === undefined) throw new Error('the cluster has no nodes');
    const shared = { ...sharedSecrets(), CLICKHOUSE_URL: node.url };
    const source = { ...(await stores('source')), ...shared };
    await succeed(['migrate'], source);
    await succeed(['users', 'create', '--email', 'ada@example.org', '--username', 'ada', '--role', 'analyst'], source);
    await node.query(insertEvents(source.CLICKHOUSE_DATABASE, 5000));
    for (const destination of ['disk:backups/nightly', `s3:${s3.endpoint}/${s3.bucket}/nightly`]) {
      const kind = destination.split(':')[0] ?? '';
      const folder = inHome(`backup-${kind}`);
      const taken = await succeed(['backup', folder, '--clickhouse-to', destination], source);
      expect(taken).toContain(': 5000 events');
      expect(taken).not.toContain(s3.secretAccessKey);
      const target = { ...(await stores(`target-${kind}`)), ...shared };
      const restored = await succeed(['restore', folder, '--verify'], target);
      expect(restored).toContain('rows of events: 5000, as in the backup');
      expect(await node.query(checksum(target.CLICKHOUSE_DATABASE))).toBe(
        await node.query(checksum(source.CLICKHOUSE_DATABASE)),
      );
    }

    // The same backup is restored into a cluster: the lanes of the single server are then in the home shard.
    const moved = { ...(await stores('moved')), ...shared, ...clusterSettings() };
    const restored = await succeed(['restore', inHome('backup-s3'), '--verify'], moved);
    expect(restored).toContain('rows of events: 5000, as in the backup, on 2 replicas of shard 1');
    for (const replica of cluster.shards[0] ?? [])
      expect(await replica.query(checksum(moved.CLICKHOUSE_DATABASE))).toBe(
        await node.query(checksum(source.CLICKHOUSE_DATABASE)),
      );
    expect(await cluster.shards[1]?.[0]?.query(`SELECT count() FROM ${moved.CLICKHOUSE_DATABASE}.events`)).toBe('0');
  });

  it('a cluster of two shards is backed up under load and restored on all replicas', { timeout: 900_000 }, async () => {
    const kafka = await useKafka();
    const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers: kafka.brokers } });
    const shared = {
      ...(await topicSettings(kafka, { url: '', user: 'default', password: '', database: '' })),
      ...sharedSecrets(),
      ...clusterSettings(),
    };
    const source = { ...shared, ...(await stores('cluster-source')) };
    const target = { ...shared, ...(await stores('cluster-target')) };
    const topic = shared.TRAPLINE_TOPIC_PREFIX + TOPICS.events;
    const [first, second] = [source, target].map((settings) =>
      connectClickHouse({
        shards: cluster.shards.map((nodes) => nodes.map(({ url }) => url)),
        cluster: cluster.name,
        user: 'default',
        database: settings.CLICKHOUSE_DATABASE,
      }),
    ) as [ClickHouse, ClickHouse];
    try {
      const service = await start(source, inHome('cluster-service'));
      const before = { ...source, TRAPLINE_DATA_DIR: service.dataDir };
      await changeSomething(service, before);
      let sent = 0;
      const send = (events: number) =>
        producer.send(
          topic,
          Array.from({ length: events }, () => ({ key: `key-${sent % 7}`, value: crash(sent++) })),
        );
      await send(300);
      await waitFor('the first events', async () => (await countOf(first)).rows >= 300);
      let traffic = true;
      const sending = (async () => {
        while (traffic) await send(10).then(() => pause(20));
      })();
      const folder = inHome('backup-cluster');
      const taken = await trapline(
        ['backup', folder, '--clickhouse-to', `s3:${s3.endpoint}/${s3.bucket}/cluster`],
        before,
      );
      traffic = false;
      await sending;
      expect(taken.code, taken.text).toBe(0);
      await send(100);
      await waitFor('all events', async () => (await countOf(first)).rows === sent);
      await service.stop(60_000);

      const oneServer = { ...target, CLICKHOUSE_URL: cluster.nodes[0]?.url ?? '', CLICKHOUSE_CLUSTER: '' };
      expect(await trapline(['restore', folder], oneServer)).toMatchObject({
        code: 2,
        text: expect.stringContaining('a ClickHouse cluster with the shards 1, 2'),
      });
      const restored = await succeed(['restore', folder, '--verify'], target);
      expect(restored).toMatch(/rows of events in shard 1: [1-9]\d*, as in the backup, on 2 replicas of shard 1/);
      expect(restored).toMatch(/rows of events in shard 2: [1-9]\d*, as in the backup, on 1 replica of shard 2/);
      expect(restored).toMatch(/rows of lane_shards in shard 1: 2, as in the backup/);
      const inBackup = await countOf(second);
      expect(inBackup.rows).toBeGreaterThanOrEqual(300);
      expect(inBackup.rows).toBeLessThan(sent);
      expect(await trapline(['restore', folder], target)).toMatchObject({
        code: 1,
        text: expect.stringContaining('--replace deletes them'),
      });
      await succeed(['restore', folder, '--replace'], target);
      expect(await countOf(second)).toEqual(inBackup);

      await start(target, inHome('cluster-restored'));
      await waitFor('the events after the backup', async () => (await countOf(second)).rows >= sent);
      expect(await countOf(second)).toEqual({ rows: sent, numbers: sent });
      const stored = await waitFor('the same detections', async () => {
        const [one, other] = await Promise.all([detectionsOf(first), detectionsOf(second)]);
        return JSON.stringify(one) === JSON.stringify(other) && one;
      });
      expect(stored.length).toBeGreaterThan(0);
    } finally {
      await Promise.all([first.close(), second.close(), producer.close()]);
      await endServices();
    }
  });

  function clusterSettings() {
    return {
      CLICKHOUSE_CLUSTER: cluster.name,
      CLICKHOUSE_URL: cluster.shards.map((nodes) => nodes.map(({ url }) => url).join(',')).join(';'),
    };
  }
});

function insertEvents(database: string | undefined, events: number): string {
  return `INSERT INTO ${database}.events (landing_day, topic, partition, offset, received, timestamp, type, raw)
    SELECT today(), 'events', number % 2, intDiv(number, 2), now64(3), now64(9), 'LinuxKernelTrap', randomPrintableASCII(100)
    FROM numbers(${events})`;
}

function checksum(database: string | undefined): string {
  return `SELECT count(), sum(cityHash64(topic, partition, offset, raw)) FROM ${database}.events`;
}
