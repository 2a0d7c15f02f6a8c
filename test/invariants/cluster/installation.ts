import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { TOPICS } from '#schemas/topics.ts';
import { createNetwork, type Network, type NetworkHost } from '#test/support/network.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { type ClickHouseCluster, startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { type KafkaCluster, startKafkaCluster } from '#test/support/services/kafka-cluster.ts';
import { type PairedServer, type PostgresPair, startPostgresPair } from '#test/support/services/postgres-pair.ts';
import { type SentinelService, startRedisSentinels } from '#test/support/services/redis-servers.ts';
import type { RestartableProcess } from '#test/support/services/restartable.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { startTrapline } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { type Actor, type ActorKind, type KeptProcess, keepRunning, runs, type UnplannedEnd } from './actor.ts';
import { setClock } from './set-clock.ts';

const run = promisify(execFile);
const PORT = 8080;
export const PARTITIONS = 6;
export const DATABASE = 'chaos';
const ACCOUNT = { user: 'trapline', password: 'rights-of-trapline-alone' };
/** Number of processes of each kind. PostgreSQL and Redis always have two servers, and Redis has three Sentinels. */
export interface Shape {
  readonly brokers: 1 | 3;
  /** Number of replicas of each ClickHouse shard. */
  readonly shards: readonly number[];
  readonly api: number;
  readonly ingest: number;
  readonly worker: number;
}

export const SHAPES = {
  full: { brokers: 3, shards: [2, 2], api: 2, ingest: 3, worker: 2 },
  /** The smallest installation that has all parts. */
  small: { brokers: 1, shards: [1, 1], api: 1, ingest: 1, worker: 1 },
} as const satisfies Record<string, Shape>;
export type ShapeName = keyof typeof SHAPES;

/** Size of each disk that can be filled. */
const DISK_MIB = { kafka: 192, clickhouse: 384, postgres: 384 } as const;

/** A complete installation on a private network, with every process on a separate host. */
export interface Installation {
  readonly network: Network;
  readonly actors: readonly Actor[];
  actor(name: string): Actor;
  readonly kafka: KafkaCluster;
  readonly clickHouse: ClickHouseCluster;
  readonly postgres: PostgresPair;
  /** Addresses of the `api` processes. */
  readonly apiUrls: readonly string[];
  /** PostgreSQL URL that names both servers. */
  readonly databaseUrl: string;
  /** Folder with the data and the logs of all Trapline processes. */
  readonly home: string;
  /** Exits so far that no fault caused directly. */
  readonly unplanned: readonly UnplannedEnd[];
  isPrimary(actor: Actor): boolean;
  failOver(): Promise<void>;
  /** Ends the Trapline processes as an operator does. Resolves to their exit codes by name. */
  endProcesses(): Promise<ReadonlyMap<string, number>>;
  /** Copies the logs of ClickHouse and PostgreSQL into `home`, which holds the other logs. */
  keepLogs(): Promise<void>;
  /** Ends all processes and unmounts the disks. */
  stop(): Promise<void>;
}

export interface InstallationOptions {
  readonly home: string;
  readonly shape: Shape;
  /** Path of libfaketime. Without it no clock can be set. */
  readonly fakeTime?: string | undefined;
  readonly print: (line: string) => void;
}

export async function startInstallation({ home, shape, fakeTime, print }: InstallationOptions): Promise<Installation> {
  const network = await createNetwork();
  const hosts = async (...names: readonly string[]): Promise<NetworkHost[]> => {
    const added: NetworkHost[] = [];
    for (const name of names) added.push(await network.addHost(name));
    return added;
  };
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    print('starting Kafka, ClickHouse, ZooKeeper, PostgreSQL and Redis');
    const stores = await startStores(home, shape, hosts, stops);
    const { kafka, clickHouse, postgres } = stores;
    const settings = await settingsOf(stores, home);
    const { KAFKA_BROKERS: brokers } = settings;
    const names = (['api', 'ingest', 'worker'] as const).flatMap((role) => numbered(role, shape[role]));
    const processHosts = await hosts(...names);
    await createTopics(brokers.split(','), shape.brokers);
    print('migrating');
    const migration = await startTrapline(['migrate'], settings);
    if ((await migration.exited) !== 0) throw new Error(`migrate failed:\n${migration.output()}`);
    await migration.endAll();
    print('starting api, ingest and worker');
    const unplanned: UnplannedEnd[] = [];
    const kept = new Map<string, KeptProcess>();
    const clocks = new Map<string, string>();
    let isStopping = false;
    await Promise.all(
      names.map(async (name, index) => {
        const host = processHosts[index] as NetworkHost;
        const clock = path.join(home, `${name}.clock`);
        if (fakeTime !== undefined) clocks.set(name, clock);
        await setClock(clock, 0);
        const role = roleOf(name);
        const env = { ...settings, TRAPLINE_SEAT: name, HOST: host.address, ...clockSettings(clock, fakeTime) };
        const launch = () => startTrapline([role], env, path.join(home, name), [], host.within);
        await mkdir(path.join(home, name));
        const ended = (code: number, output: string): void => {
          if (!isStopping) unplanned.push({ name, code, output });
        };
        kept.set(name, await keepRunning(launch, `${role} is running`, ended));
      }),
    );
    const endProcesses = async (): Promise<ReadonlyMap<string, number>> => {
      isStopping = true;
      const ended = [...kept].map(async ([name, one]) => [name, await one.end()] as const);
      kept.clear();
      return new Map(await Promise.all(ended));
    };
    stops.push(endProcesses);
    const actors = [
      ...stores.actors,
      ...[...kept].map(([name, one]): Actor => {
        const clock = clocks.get(name);
        const host = processHosts[names.indexOf(name)];
        return {
          ...one,
          name,
          kind: roleOf(name),
          host: host as NetworkHost,
          ...(clock === undefined ? {} : { clock }),
        };
      }),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
    await Promise.all(actors.map((actor) => actor.serve()));
    const byName = new Map(actors.map((actor) => [actor.name, actor]));
    return {
      network,
      actors,
      kafka,
      clickHouse,
      postgres,
      home,
      unplanned,
      endProcesses,
      stop,
      apiUrls: processHosts.slice(0, shape.api).map(({ address }) => `http://${address}:${PORT}`),
      databaseUrl: settings.DATABASE_URL,
      actor(name) {
        const found = byName.get(name);
        if (found === undefined) throw new Error(`there is no process ${name}`);
        return found;
      },
      keepLogs: () => keepLogs(home, stores),
      isPrimary: (actor) => actor.disk === postgres.primary.data,
      failOver: () => postgres.failOver(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Stores {
  readonly kafka: KafkaCluster;
  readonly clickHouse: ClickHouseCluster;
  readonly postgres: PostgresPair;
  readonly redis: SentinelService;
  readonly actors: readonly Actor[];
}

async function startStores(
  home: string,
  shape: Shape,
  hosts: (...names: readonly string[]) => Promise<NetworkHost[]>,
  stops: (() => Promise<unknown>)[],
): Promise<Stores> {
  const brokerHosts = await hosts(...numbered('kafka', shape.brokers));
  const nodeHosts = await hosts(
    ...shape.shards.flatMap((replicas, index) => numbered(`clickhouse-${index + 1}`, replicas)),
  );
  const [keeperHost] = (await hosts('zookeeper')) as [NetworkHost];
  const databaseHosts = (await hosts('postgres-1', 'postgres-2')) as [NetworkHost, NetworkHost];
  const redisHosts = await hosts('redis-1', 'redis-2', 'sentinel-1', 'sentinel-2', 'sentinel-3');
  const mounted: string[] = [];
  const disk = (mebibytes: number, mode: string) => async (folder: string) => {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=${mode}`, 'tmpfs', folder]);
    mounted.push(folder);
  };
  // Unmounts before the services end, because they remove their folders at the end. A lazy unmount keeps open files
  // usable.
  const unmount = async (): Promise<void> => {
    for (const folder of mounted.splice(0)) await run('umount', ['--lazy', folder]);
  };
  const kept = <T extends { stop(): Promise<void> }>(service: T): T => {
    stops.push(async () => {
      await unmount();
      await service.stop();
    });
    return service;
  };
  const [kafka, clickHouse, postgres, redis] = await Promise.all([
    startKafkaCluster({ places: brokerHosts, home, prepare: disk(DISK_MIB.kafka, '0755') }).then(kept),
    startClickHouseCluster({
      shards: shape.shards,
      merges: false,
      places: nodeHosts,
      keeperPlace: keeperHost,
      memoryMiB: 600,
      prepare: disk(DISK_MIB.clickhouse, '0755'),
    }).then(kept),
    startPostgresPair({ places: databaseHosts, prepare: disk(DISK_MIB.postgres, '0700') }).then(kept),
    startRedisSentinels(ACCOUNT, redisHosts).then(kept),
  ]);
  const kindOf = (name: string): ActorKind => name.replace(/-.*/, '') as ActorKind;
  const store = (host: NetworkHost, service: RestartableProcess & { data?: string }): Actor => {
    const actor: Actor = {
      name: host.name,
      kind: kindOf(host.name),
      host,
      pid: service.pid,
      kill9: service.kill9,
      async serve() {
        if (!(await runs(actor))) await startUntilItServes(host.name, service.restart);
      },
      ...(service.data === undefined ? {} : { disk: service.data }),
    };
    return actor;
  };
  const first = [postgres.primary, postgres.standby] as const;
  const actors = [
    ...kafka.nodes.map((node, index) => store(brokerHosts[index] as NetworkHost, node)),
    ...clickHouse.nodes.map((node, index) => store(nodeHosts[index] as NetworkHost, node)),
    store(keeperHost, clickHouse.zooKeeper),
    ...first.map((server, index) => databaseActor(databaseHosts[index] as NetworkHost, server, postgres)),
    ...redis.servers.map((server, index) => store(redisHosts[index] as NetworkHost, server)),
  ];
  return { kafka, clickHouse, postgres, redis, actors };
}

function databaseActor(host: NetworkHost, server: PairedServer, pair: PostgresPair): Actor {
  return {
    name: host.name,
    kind: 'postgres',
    host,
    pid: () => server.process.pid,
    kill9: server.kill9,
    async serve() {
      if (!server.process.running) await startUntilItServes(host.name, server.restart);
      await pair.synchronous();
    },
    disk: server.data,
  };
}

/** Retries the start: a broker needs the quorum, and a server must wait until its lock is free. */
async function startUntilItServes(name: string, start: () => Promise<void>): Promise<void> {
  await waitFor(`${name} to start`, () => start().then(() => true), { timeoutMs: 240_000, everyMs: 1000 });
}

async function keepLogs(home: string, { clickHouse, postgres }: Stores): Promise<void> {
  const folders = [...clickHouse.nodes, postgres.primary].map(({ data }) => path.dirname(data));
  for (const folder of new Set(folders)) {
    const kept = path.join(home, path.basename(folder));
    await mkdir(kept, { recursive: true });
    for (const name of await readdir(folder))
      if (name.endsWith('.log')) await copyFile(path.join(folder, name), path.join(kept, name));
  }
}

async function settingsOf({ kafka, clickHouse, postgres, redis }: Stores, home: string) {
  const ca = path.join(home, 'redis-ca.crt');
  await writeFile(ca, redis.ca);
  const [first, second] = [postgres.primary.url, postgres.standby.url];
  return {
    ...sharedSecrets(),
    TRAPLINE_DATA_DIR: path.join(home, 'data'),
    PORT: String(PORT),
    KAFKA_BROKERS: kafka.brokers.join(),
    TRAPLINE_GROUP_ID: 'chaos',
    TRAPLINE_SESSION_TIMEOUT_MS: '6000',
    TRAPLINE_BATCH_AGE_MS: '1000',
    TRAPLINE_SNAPSHOT_EVENTS: '2000',
    TRAPLINE_LANE_THREADS: '0',
    CLICKHOUSE_URL: clickHouse.shards.map((nodes) => nodes.map(({ url }) => url).join()).join(';'),
    CLICKHOUSE_CLUSTER: clickHouse.name,
    CLICKHOUSE_DATABASE: DATABASE,
    DATABASE_URL: first.replace(new URL(first).host, [first, second].map((url) => new URL(url).host).join()),
    REDIS_URL: redis.urls.join(),
    REDIS_SENTINEL_NAME: redis.name,
    REDIS_SENTINEL_USER: ACCOUNT.user,
    REDIS_SENTINEL_PASSWORD: ACCOUNT.password,
    REDIS_TLS_CA_FILE: ca,
    TRAPLINE_LIMIT_ADDRESS: '99999/1s',
    NODE_OPTIONS: '--max-old-space-size=256',
    // As set by bin/trapline: a restarted process loads compiled code.
    NODE_COMPILE_CACHE: path.join(home, 'compiled'),
    MALLOC_ARENA_MAX: '1',
  };
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

async function createTopics(brokers: readonly string[], replicationFactor: number): Promise<void> {
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers });
  const wanted = Object.values(TOPICS).map((topic) => ({ topic, partitions: PARTITIONS, replicationFactor }));
  await waitFor('the topics', () => admin.ensureTopics(wanted).then(() => true), { everyMs: 500 });
  await admin.close();
}

function roleOf(name: string): 'api' | 'ingest' | 'worker' {
  return name.replace(/-.*/, '') as 'api' | 'ingest' | 'worker';
}

/**
 * Settings of libfaketime: it reads the offset from a file again each second, and leaves the monotonic clock unchanged.
 */
function clockSettings(file: string, fakeTime: string | undefined): Readonly<Record<string, string>> {
  if (fakeTime === undefined) return {};
  return {
    LD_PRELOAD: fakeTime,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
