import { setTimeout as pause } from 'node:timers/promises';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createShardedClickHouse } from '#analytics/clickhouse/sharded-client.ts';
import { deadLetterRecordsTable } from '#analytics/clickhouse/tables/dead-letter-records.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { ClickHouseService } from '#test/support/services/clickhouse.ts';
import type { ClickHouseCluster, ClusterNode } from '#test/support/services/clickhouse-cluster.ts';
import type { Restartable } from '#test/support/services/restartable.ts';

/** Faults that are applied to ClickHouse while events flow. */
export type StoreBlow = 'kill engine' | 'kill replica' | 'freeze replica' | 'kill keeper';

/** ClickHouse of one run: one server or a cluster. */
export interface OracleStore {
  readonly clickhouse: ClickHouse;
  /** Clients of each server, grouped by shard. Servers of one shard hold the same rows. */
  readonly copies: readonly (readonly ClickHouse[])[];
  /** Settings of the processes that use this store. */
  readonly settings: Readonly<Record<string, string>>;
  /** Stops merges, because a merge removes duplicate rows, which the oracle must detect. */
  stopMerges(): Promise<void>;
  /** Applies the fault. Resolves to a description of its target when the store serves again. */
  strike(blow: StoreBlow, random: SeededRandom): Promise<string>;
  drop(): Promise<void>;
}

export function serverStore(service: ClickHouseService & Partial<Restartable>, database: string): OracleStore {
  const clickhouse = createClickHouse({ ...service, database });
  const stopMerges = async (): Promise<void> => {
    for (const table of [eventsTable.name, deadLetterRecordsTable.name])
      await clickhouse.command('stop merges', `SYSTEM STOP MERGES ${clickhouse.table(table)}`);
  };
  return {
    clickhouse,
    copies: [[clickhouse]],
    settings: {
      CLICKHOUSE_URL: service.url,
      CLICKHOUSE_USER: service.user,
      CLICKHOUSE_PASSWORD: service.password,
      CLICKHOUSE_DATABASE: database,
    },
    stopMerges,
    async strike(blow, random) {
      await bounce(service, random.between(100, 1500));
      await stopMerges();
      return blow;
    },
    async drop() {
      await dropDatabase(clickhouse);
      await clickhouse.close();
    },
  };
}

/** Returns the store of a cluster, which must have been started without merges. */
export function clusterStore(cluster: ClickHouseCluster, database: string): OracleStore {
  const shards = cluster.shards.map((nodes) => nodes.map(({ url }) => url));
  const clickhouse = createShardedClickHouse({
    user: 'default',
    password: '',
    database,
    cluster: { name: cluster.name, shards },
  });
  const copies = (clickhouse.shards?.all ?? []).map((shard) =>
    (shard.clickhouse.replicas?.all ?? []).map((replica) => replica.clickhouse),
  );
  return {
    clickhouse,
    copies,
    settings: {
      CLICKHOUSE_URL: shards.map((urls) => urls.join(',')).join(';'),
      CLICKHOUSE_CLUSTER: cluster.name,
      CLICKHOUSE_DATABASE: database,
    },
    async stopMerges() {},
    async strike(blow, random) {
      // The range includes times below and above the session timeout between replicas and the keeper.
      const ms = random.between(100, 6000);
      if (blow === 'kill keeper') {
        await bounce(cluster.zooKeeper, ms);
        return blow;
      }
      const node = random.pick(cluster.nodes) as ClusterNode;
      if (blow === 'freeze replica') {
        await node.freeze();
        await pause(ms);
        await node.thaw();
      } else await bounce(node, ms);
      return `${blow} ${node.name}`;
    },
    async drop() {
      await Promise.all(copies.flat().map(dropDatabase));
      await clickhouse.close();
    },
  };
}

async function bounce(service: Partial<Restartable>, ms: number): Promise<void> {
  await service.kill9?.();
  await pause(ms);
  await service.restart?.();
}

async function dropDatabase(clickhouse: ClickHouse): Promise<void> {
  await clickhouse
    .command('drop the database', `DROP DATABASE IF EXISTS \`${clickhouse.database}\` SYNC`)
    .catch(() => {});
}
