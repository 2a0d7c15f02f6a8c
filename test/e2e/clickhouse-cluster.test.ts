import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { createReplicatedClickHouse } from '#analytics/clickhouse/replicated-client.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { clickHouseChecks } from '#deploy/doctor/clickhouse-checks.ts';
import { problemsOf } from '#test/invariants/exactly-once.ts';
import { runOracle } from '#test/invariants/oracle.ts';
import { serviceFiles } from '#test/support/install-services.mjs';
import { type ClickHouseCluster, startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

// Where services run as containers, ZooKeeper is not installed.
describe.skipIf(!existsSync(serviceFiles().zooKeeperJars))('a ClickHouse cluster of three replicas', () => {
  let cluster: ClickHouseCluster;
  beforeAll(async () => {
    cluster = await startClickHouseCluster({ merges: false });
  }, 120_000);
  afterAll(() => cluster.stop());

  // `npm run soak -- --of replicas` runs random combinations.
  test('takes each event once while replicas and processes die', { timeout: 300_000 }, async () => {
    const kafka = await useKafka();
    const result = await runOracle({
      seed: 11,
      records: 1500,
      partitions: 2,
      processes: 1,
      blows: ['kill replica', 'kill'],
      kafka,
      clickHouse: cluster,
    });
    expect(problemsOf(result)).toEqual([]);
  });

  test('doctor reports its replicas, also the one that is unavailable', { timeout: 120_000 }, async () => {
    const urls = cluster.nodes.map(({ url }) => url);
    const environment = {
      CLICKHOUSE_URL: urls.join(','),
      CLICKHOUSE_CLUSTER: cluster.name,
      CLICKHOUSE_DATABASE: 'examined',
    };
    const resolved = resolveConfig({ environment });
    if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
    const { config } = resolved;
    const clickhouse = createReplicatedClickHouse({
      user: 'default',
      password: '',
      database: 'examined',
      cluster: { name: cluster.name, urls },
    });
    await migrate(clickhouse);
    await clickhouse.close();
    const states = async () =>
      Object.fromEntries((await runChecks(clickHouseChecks(config), 60_000)).map((result) => [result.check, result]));

    const healthy = await states();
    expect(Object.values(healthy).filter(({ state }) => state === 'wrong')).toEqual([]);
    expect(healthy).toMatchObject({
      'ClickHouse replicas': { state: 'fine', found: '3 of 3 answer' },
      'ClickHouse grants': { state: 'fine' },
      'ClickHouse deduplication': { state: 'fine' },
      'ClickHouse quorum': { state: 'fine', found: '3 of 3 replicas are active' },
      'ClickHouse replication queue': { state: 'fine' },
    });

    await cluster.nodes[2]?.kill9();
    const degraded = await waitFor('the session of the replica to end', async () => {
      const found = await states();
      return found['ClickHouse quorum']?.found === '2 of 3 replicas are active' ? found : undefined;
    });
    expect(degraded).toMatchObject({
      'ClickHouse replicas': { state: 'look', found: '2 of 3 answer' },
      'ClickHouse quorum': { state: 'look' },
    });
  });
});
