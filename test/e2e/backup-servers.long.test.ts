import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceFiles } from '#test/support/install-services.mjs';
import { randomName } from '#test/support/random-name.ts';
import { type ClickHouseCluster, startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { type S3Server, startS3Server } from '#test/support/services/s3-server.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { inHome, type Settings, trapline } from './backup-services.ts';

/** `trapline backup` and `trapline restore` with ClickHouse servers that write to a disk or to a bucket. */

// Where services run as containers, ZooKeeper is not installed.
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

  /** Databases of their own in ClickHouse and PostgreSQL, and a data directory. */
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

  it('one server writes to a disk and to a bucket, and restores from both', { timeout: 300_000 }, async () => {
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
  });
});

function insertEvents(database: string | undefined, events: number): string {
  return `INSERT INTO ${database}.events (landing_day, topic, partition, offset, received, timestamp, type, raw)
    SELECT today(), 'events', number % 2, intDiv(number, 2), now64(3), now64(9), 'LinuxKernelTrap', randomPrintableASCII(100)
    FROM numbers(${events})`;
}

function checksum(database: string | undefined): string {
  return `SELECT count(), sum(cityHash64(topic, partition, offset, raw)) FROM ${database}.events`;
}
