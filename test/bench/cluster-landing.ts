import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { EventRow, LandingStore } from '#analytics/clickhouse/port.ts';
import { replicaGroups } from '#analytics/clickhouse/replica-check.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { type ClickHouseCluster, startClickHouseCluster } from '../support/services/clickhouse-cluster.ts';
import { trap } from './landing.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const BLOCK = 20_000;
const ROUNDS = 9;
/** Lanes that land concurrently: one per shard when there are two. */
const LANES = [0, 1].map((partition) => ({ topic: 'bench', partition }));

interface Side {
  readonly name: string;
  readonly clickhouse: ClickHouse;
  readonly store: LandingStore;
  readonly seconds: number[];
  /** Processor time of all nodes, in microseconds per row. */
  readonly cpu: number[];
}

/**
 * Inserts blocks of 20,000 kernel traps in two concurrent lanes: into one server, into a shard of three replicas, and
 * into two shards of one replica. All nodes share this machine. Medians of interleaved rounds.
 */
export async function benchClusterLanding(): Promise<BenchRow[]> {
  const cluster = await startClickHouseCluster({ shards: [3, 1] });
  const sides: Side[] = [];
  try {
    const [first = [], second = []] = cluster.shards.map((nodes) => nodes.map(({ url }) => url));
    for (const [name, options] of [
      ['one server', { shards: [second] }],
      ['three replicas', { shards: [first], cluster: cluster.firstShard }],
      ['two shards', { shards: [first.slice(0, 1), second], cluster: cluster.name }],
    ] as const)
      sides.push(await openSide(name, options));
    const rows = Array.from({ length: BLOCK }, (_, i) => trap(i));
    for (let round = 0; round < ROUNDS; round++)
      for (const side of sides) await landRound(cluster, side, rows, round * BLOCK - 1);
    return rowsOf(sides);
  } finally {
    await Promise.all(sides.map(({ clickhouse }) => clickhouse.close()));
    await cluster.stop();
  }
}

async function openSide(
  name: string,
  options: { readonly shards: readonly (readonly string[])[]; readonly cluster?: string },
): Promise<Side> {
  const clickhouse = connectClickHouse({ ...options, user: 'default', database: name.replaceAll(' ', '_') });
  await migrate(clickhouse);
  const store = createLandingStore({ clickhouse });
  for (const lane of LANES) await store.marks(lane);
  return { name, clickhouse, store, seconds: [], cpu: [] };
}

async function landRound(
  cluster: ClickHouseCluster,
  { clickhouse, store, seconds, cpu }: Side,
  rows: readonly EventRow[],
  mark: number,
): Promise<void> {
  const blocks = LANES.map((lane) => {
    const block = store.openEvents(lane, Date.now());
    for (const [i, row] of rows.entries()) block.append({ ...row, offset: mark + 1 + i });
    return block;
  });
  const cpuBefore = await cpuOf(cluster);
  const begun = performance.now();
  const answers = await Promise.all(blocks.map((block) => store.landEvents(block, mark)));
  seconds.push((performance.now() - begun) / 1000);
  if (answers.some(({ outcome }) => outcome !== 'landed')) throw new Error('a block was fenced');
  await settle(clickhouse);
  cpu.push((((await cpuOf(cluster)) - cpuBefore) * 1e6) / (BLOCK * LANES.length));
}

/** Resolves when every replica has the blocks, so that their processor time belongs to this round. */
async function settle(clickhouse: ClickHouse): Promise<void> {
  const replicas = replicaGroups(clickhouse).flat();
  await Promise.all(
    replicas.map(({ clickhouse: server }) =>
      server.command('wait for the replica', `SYSTEM SYNC REPLICA ${server.table(eventsTable.name)} LIGHTWEIGHT`),
    ),
  );
}

async function cpuOf({ nodes }: ClickHouseCluster): Promise<number> {
  const pids = await Promise.all(nodes.map((node) => node.pid()));
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

function rowsOf(sides: readonly Side[]): BenchRow[] {
  const rate = ({ seconds }: Side) => (BLOCK * LANES.length) / median(seconds);
  const [single, ...others] = sides as [Side, ...Side[]];
  return others.map((side) => ({
    ...ratioRow(`cluster: landing on ${side.name}, against one server`, 'events/s', rate(side), rate(single), null),
    details: [
      `processor time of all nodes, µs an event: ${median(side.cpu).toFixed(2)}, one server ${median(single.cpu).toFixed(2)}`,
    ],
  }));
}
