import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { serviceFiles } from '#test/support/install-services.mjs';
import { type ClickHouseCluster, startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { useKafka } from '#test/support/use-services.ts';
import { expectExactlyOnce } from './expect-exactly-once.ts';
import { type Blow, runOracle } from './oracle.ts';

/**
 * Sends numbered events through real Kafka into a ClickHouse cluster. clickhouse-cluster.long.test.ts also kills
 * ZooKeeper, and `npm run soak -- --of replicas` runs random combinations of faults in hundreds of runs.
 */
// ZooKeeper is not installed when the environment provides the services of the run.
describe.skipIf(!existsSync(serviceFiles().zooKeeperJars))('two shards, one with three replicas', () => {
  let cluster: ClickHouseCluster;
  beforeAll(async () => {
    cluster = await startClickHouseCluster({ shards: [3, 1], merges: false });
  }, 120_000);
  afterAll(() => cluster.stop());

  test('stores each event once while a replica and a process are killed and a process leaves (seed 21)', {
    timeout: 300_000,
  }, async () => {
    const kafka = await useKafka();
    const blows: readonly Blow[] = ['kill replica', 'kill', 'leave'];
    const load = { seed: 21, records: 1000, partitions: 2, processes: 1, blows };
    expectExactlyOnce(await runOracle({ ...load, kafka, clickHouse: cluster }));
  });
});
