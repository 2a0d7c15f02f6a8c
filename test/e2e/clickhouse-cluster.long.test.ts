import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { clickHouseChecks } from '#deploy/doctor/clickhouse-checks.ts';
import { problemsOf } from '#test/invariants/exactly-once.ts';
import { type Blow, runOracle } from '#test/invariants/oracle.ts';
import { serviceFiles } from '#test/support/install-services.mjs';
import { type ClickHouseCluster, startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

// ZooKeeper is not installed when environment variables name the services of the test run.
describe.skipIf(!existsSync(serviceFiles().zooKeeperJars))(
  'a ClickHouse cluster of two shards, one with three replicas',
  () => {
    let cluster: ClickHouseCluster;
    beforeAll(async () => {
      cluster = await startClickHouseCluster({ shards: [3, 1], merges: false });
    }, 120_000);
    afterAll(() => cluster.stop());

    // `npm run soak -- --of replicas` tests random combinations.
    test.each<{ seed: number; blows: readonly Blow[] }>([
      { seed: 11, blows: ['kill replica', 'kill'] },
      { seed: 12, blows: ['freeze replica', 'leave'] },
      { seed: 13, blows: ['kill keeper', 'freeze'] },
    ])('takes each event once: $blows (seed $seed)', { timeout: 300_000 }, async ({ seed, blows }) => {
      const kafka = await useKafka();
      const load = { seed, records: 1500, partitions: 2, processes: 2, blows };
      expect(problemsOf(await runOracle({ ...load, kafka, clickHouse: cluster }))).toEqual([]);
    });

    test('doctor reports its replicas, also the one that is unavailable', { timeout: 120_000 }, async () => {
      const shards = cluster.shards.map((nodes) => nodes.map(({ url }) => url));
      const environment = {
        CLICKHOUSE_URL: shards.map((urls) => urls.join(',')).join(';'),
        CLICKHOUSE_CLUSTER: cluster.name,
        CLICKHOUSE_DATABASE: 'examined',
      };
      const resolved = resolveConfig({ environment });
      if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
      const { config } = resolved;
      const clickhouse = connectClickHouse(config.clickhouse);
      await migrate(clickhouse);
      const store = createLandingStore({ clickhouse });
      for (const partition of [0, 1]) await store.marks({ topic: 'examined', partition });
      await clickhouse.close();
      const states = async () =>
        Object.fromEntries((await runChecks(clickHouseChecks(config), 60_000)).map((result) => [result.check, result]));

      const healthy = await states();
      expect(Object.values(healthy).filter(({ state }) => state === 'wrong')).toEqual([]);
      expect(healthy).toMatchObject({
        'ClickHouse replicas': { state: 'fine', found: '4 of 4 answer' },
        'ClickHouse shards': { state: 'fine', found: '1: 1 lanes, 2: 1 lanes' },
        'ClickHouse grants': { state: 'fine' },
        'ClickHouse deduplication': { state: 'fine' },
        // A warning, because one shard has a single replica.
        'ClickHouse quorum': { state: 'look', found: '1: 3 of 3 replicas are active; 2: 1 of 1 replicas are active' },
        'ClickHouse replication queue': { state: 'fine' },
        'ClickHouse mutations': { state: 'fine' },
      });

      await Promise.all([cluster.nodes[1]?.kill9(), cluster.nodes[2]?.kill9()]);
      const degraded = await waitFor('the sessions of the replicas to end', async () => {
        const found = await states();
        return found['ClickHouse quorum']?.found.startsWith('1: 1 of 3 replicas are active') === true
          ? found
          : undefined;
      });
      expect(degraded).toMatchObject({
        'ClickHouse replicas': { state: 'look', found: '2 of 4 answer' },
        // One of three replicas is not a majority.
        'ClickHouse quorum': { state: 'wrong' },
      });
    });
  },
);
