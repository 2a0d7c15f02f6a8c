import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandAt, LOOPBACK, type Place } from '../place.ts';
import { waitFor } from '../wait-for.ts';
import type { ClickHouseService } from './clickhouse.ts';
import { CLUSTER, FIRST_SHARD, type NodePlace, nodeConfig } from './cluster/node-config.ts';
import { startZooKeeper } from './cluster/zookeeper.ts';
import { freePorts } from './free-ports.mjs';
import { type RestartableProcess, restartable } from './restartable.ts';
import { supervise } from './supervised-process.ts';

export interface ClusterNode extends ClickHouseService, RestartableProcess {
  readonly name: string;
  /** Number of its shard; also the macro {shard}. */
  readonly shard: number;
  /** Its data folder. */
  readonly data: string;
  /** Runs a statement. Resolves to its result as text. */
  query(sql: string, settings?: Readonly<Record<string, string>>): Promise<string>;
}

export interface ClusterOptions {
  /** Number of replicas of each shard. Default: one shard with three replicas. */
  readonly shards?: readonly number[];
  /** True if parts are merged. Default: true. */
  readonly merges?: boolean;
  /** Places of the nodes, shard by shard. Default: all on the loopback. */
  readonly places?: readonly Place[];
  /** Place of ZooKeeper. Default: the loopback. */
  readonly keeperPlace?: Place;
  /** Memory limit of a node, in MiB. Default: 700. */
  readonly memoryMiB?: number;
  /** Called with the empty data folder of each node before it starts. */
  readonly prepare?: (data: string) => Promise<void>;
}

export interface ClickHouseCluster {
  /** Name of the cluster in `remote_servers`. */
  readonly name: string;
  /** Name in `remote_servers` of the cluster with the first shard only. */
  readonly firstShard: string;
  readonly nodes: readonly ClusterNode[];
  /** The nodes, grouped by shard. */
  readonly shards: readonly (readonly ClusterNode[])[];
  readonly zooKeeper: RestartableProcess;
  /** Folder of the disk `backups`, which all nodes share as over a network. BACKUP may write to it. */
  readonly backups: string;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./cluster/clickhouse-node.mjs', import.meta.url));

/** Starts a ClickHouse cluster and its ZooKeeper as local processes. All of them end with this process. */
export async function startClickHouseCluster(options: ClusterOptions = {}): Promise<ClickHouseCluster> {
  const { shards = [3], merges = true, keeperPlace = LOOPBACK, memoryMiB = 700 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'trapline-cluster-'));
  const numbers = shards.flatMap((replicas, index) => Array<number>(replicas).fill(index + 1));
  const [zooKeeperPort = 0, ...ports] = await freePorts(1 + 2 * numbers.length);
  const places = numbers.map((shard, index): NodePlace => {
    const [http = 0, tcp = 0] = ports.slice(2 * index);
    return { shard, name: `replica${index + 1}`, http, tcp, at: options.places?.[index] ?? LOOPBACK };
  });
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const zooKeeper = await startZooKeeper(join(folder, 'zookeeper'), zooKeeperPort, keeperPlace);
  const started: RestartableProcess[] = [zooKeeper];
  const common = { zooKeeper: { address: keeperPlace.address, port: zooKeeperPort }, merges, memoryMiB, backups };
  const prepare = options.prepare ?? (async () => {});
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((service) => service.stop()));
    await rm(folder, { recursive: true, force: true, maxRetries: 60, retryDelay: 50 });
  };
  try {
    const nodes = await Promise.all(
      places.map(async (place) => {
        const node = await startNode(place, places, join(folder, place.name), common, prepare);
        started.push(node);
        return node;
      }),
    );
    const ofShards = [...Map.groupBy(nodes, ({ shard }) => shard).values()];
    return { name: CLUSTER, firstShard: FIRST_SHARD, nodes, shards: ofShards, zooKeeper, backups, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startNode(
  place: NodePlace,
  places: readonly NodePlace[],
  home: string,
  options: Omit<Parameters<typeof nodeConfig>[2], 'logFile'>,
  prepare: (data: string) => Promise<void>,
): Promise<ClusterNode> {
  const data = join(home, 'data');
  await mkdir(data, { recursive: true });
  await prepare(data);
  const configFile = join(home, 'config.xml');
  await writeFile(configFile, nodeConfig(place, places, { ...options, logFile: join(home, 'server.log') }));
  const library = createRequire(import.meta.url).resolve('@chdb/lib-linux-x64-gnu/libchdb.so');
  const { address, peerAddress } = place.at;
  const url = `http://${address}:${place.http}`;
  const ports = [String(place.http), String(place.tcp)];
  const control = await restartable(async () => {
    const process_ = supervise({
      ...commandAt(place.at, process.execPath, [
        '--no-warnings',
        PROGRAM,
        library,
        configFile,
        data,
        ...ports,
        peerAddress,
      ]),
      logFile: join(home, 'node.log'),
      cwd: home,
    });
    await waitFor(
      'the node to answer',
      async () => !process_.running || (await ask(url, 'SELECT 1').then(() => true)),
      { timeoutMs: 90_000 },
    );
    if (!process_.running) throw new Error(`the node ended:\n${process_.output()}`);
    return process_;
  });
  return {
    name: place.name,
    shard: place.shard,
    data,
    url,
    user: 'default',
    password: '',
    query: (sql, settings) => ask(url, sql, settings),
    ...control,
  };
}

async function ask(url: string, sql: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`${url}/?${new URLSearchParams(settings)}`, { method: 'POST', body: sql });
  const text = (await response.text()).trimEnd();
  if (!response.ok) throw new Error(text);
  return text;
}
