import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from '#api/shared-state/ioredis.ts';
import { commandAt, LOOPBACK, type Place } from '../place.ts';
import { waitFor } from '../wait-for.ts';
import { makeCertificates } from './certificates.ts';
import { freePort } from './free-ports.mjs';
import { serverProgram } from './redis.ts';
import { type RestartableProcess, restartable } from './restartable.ts';
import { type SupervisedProcess, supervise } from './supervised-process.ts';

/** Time in ms after which other servers replace a silent server. */
const SILENCE_MS = 1_500;

export interface RedisServer {
  readonly port: number;
  readonly process: SupervisedProcess;
}

export interface RedisAccount {
  readonly user: string;
  readonly password: string;
}

/**
 * Redis with TLS, a replica, and three Sentinels. Only the account can sign in, with the privileges listed in
 * docs/operations/cluster.md.
 */
export interface SentinelService {
  readonly name: string;
  /** `rediss://user:password@host:port` of the Sentinels. */
  readonly urls: readonly string[];
  /** PEM certificate of the authority. */
  readonly ca: string;
  readonly primary: RedisServer;
  /** The primary, its replica and the Sentinels, as restartable processes. */
  readonly servers: readonly RestartableProcess[];
  stop(): Promise<void>;
}

/** A Redis Cluster with three primaries and one replica for each. */
export interface ClusterService {
  readonly urls: readonly string[];
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

/** The privileges that Trapline needs, as listed in docs/operations/cluster.md. */
export const RIGHTS =
  '~trapline:* &trapline:* -@all +@read +@write +@scripting +@pubsub +@connection +time +info +role';

/**
 * Starts the servers. `places` are those of the primary, the replica and the three Sentinels. Default: all on the
 * loopback.
 */
export async function startRedisSentinels(
  { user, password }: RedisAccount,
  places: readonly Place[] = [],
): Promise<SentinelService> {
  const home = await mkdtemp(join(tmpdir(), 'trapline-redis-sentinels-'));
  const at = (index: number): Place => places[index] ?? LOOPBACK;
  const certificates = await makeCertificates(home, [...new Set([0, 1, 2, 3, 4].map((index) => at(index).address))]);
  const tls = [
    'port 0',
    `tls-cert-file ${join(home, 'server.crt')}`,
    `tls-key-file ${join(home, 'server.key')}`,
    `tls-ca-cert-file ${join(home, 'ca.crt')}`,
    'tls-auth-clients no',
    'tls-replication yes',
  ];
  const accounts = [
    `user ${user} on >${password} ${RIGHTS}`,
    'user default on >administrator allkeys allchannels +@all',
  ];
  const server = async (name: string, place: Place, ...lines: readonly string[]) => {
    const port = await freePort();
    const settings = [...tls, `tls-port ${port}`, ...accounts, ...lines];
    return Object.assign(await startAgain(await launcher(home, name, 'redis-server', settings, place)), { port });
  };
  const primary = await server('primary', at(0), 'masterauth administrator');
  const replicaOf = `replicaof ${at(0).address} ${primary.port}`;
  const replica = await server('replica', at(1), 'masterauth administrator', replicaOf);
  const name = 'trapline-limits';
  const watch = [
    `sentinel monitor ${name} ${at(0).address} ${primary.port} 2`,
    `sentinel auth-pass ${name} administrator`,
    `sentinel down-after-milliseconds ${name} ${SILENCE_MS}`,
    `sentinel failover-timeout ${name} 10000`,
  ];
  const ofSentinels = `user ${user} on >${password} allchannels -@all +sentinel +@connection +@pubsub +info`;
  const ports = await Promise.all([1, 2, 3].map(() => freePort()));
  const sentinels = await Promise.all(
    ports.map(async (port, i) => {
      const settings = [...tls, `tls-port ${port}`, ofSentinels, ...watch];
      return startAgain(await launcher(home, `sentinel-${i}`, 'redis-sentinel', settings, at(2 + i)));
    }),
  );
  const ask = new Redis({ port: ports[0] ?? 0, host: at(2).address, tls: { ca: certificates.ca } });
  await waitFor('the Sentinels to know each other and the replica', async () => {
    const state = Object.fromEntries(pairs((await ask.call('SENTINEL', 'MASTER', name)) as string[]));
    return state['num-other-sentinels'] === '2' && state['num-slaves'] === '1';
  });
  ask.disconnect();
  const all = [primary, replica, ...sentinels];
  return {
    name,
    urls: ports.map((port, i) => `rediss://${user}:${password}@${at(2 + i).address}:${port}`),
    ca: certificates.ca,
    primary,
    servers: all.map(({ control }) => control),
    stop: () => endAll(all.map(({ process }) => process)),
  };
}

export async function startRedisCluster(): Promise<ClusterService> {
  const home = await mkdtemp(join(tmpdir(), 'trapline-redis-cluster-'));
  const nodes = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (i) => {
      const [port, bus] = [await freePort(), await freePort()];
      const process = await launch(home, `node-${i}`, 'redis-server', [
        `port ${port}`,
        'cluster-enabled yes',
        `cluster-port ${bus}`,
        `cluster-config-file nodes-${i}.conf`,
        `cluster-node-timeout ${SILENCE_MS}`,
        'cluster-replica-validity-factor 0',
      ]);
      return { port, bus, process };
    }),
  );
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
  const [first = new Redis()] = clients;
  const primaries = clients.slice(0, 3);
  await Promise.all(primaries.map((one, i) => one.cluster('ADDSLOTSRANGE', SLOTS[i]?.[0] ?? 0, SLOTS[i]?.[1] ?? 0)));
  for (const { port, bus } of nodes.slice(1)) await first.call('CLUSTER', 'MEET', '127.0.0.1', port, bus);
  const settled = async () => {
    const infos = await Promise.all(clients.map((one) => one.cluster('INFO')));
    return infos.every((info) => /cluster_state:ok/.test(info) && /cluster_known_nodes:6/.test(info));
  };
  await waitFor('the cluster to hold all slots', settled);
  const ids = await Promise.all(primaries.map((one) => one.cluster('MYID')));
  await Promise.all(clients.slice(3).map((one, i) => one.cluster('REPLICATE', ids[i] ?? '')));
  await waitFor('every primary to have its replica in step', async () => {
    const infos = await Promise.all(clients.slice(3).map((one) => one.info('replication')));
    return infos.every((info) => /master_link_status:up/.test(info));
  });
  await waitFor('the cluster to be whole', settled);
  for (const client of clients) client.disconnect();
  return {
    urls: nodes.slice(0, 3).map(({ port }) => `redis://127.0.0.1:${port}`),
    nodes,
    stop: () => endAll(nodes.map(({ process }) => process)),
  };
}

const SLOTS = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

async function launch(
  home: string,
  name: string,
  program: 'redis-server' | 'redis-sentinel',
  lines: readonly string[],
): Promise<SupervisedProcess> {
  return (await launcher(home, name, program, lines))();
}

/**
 * Writes the configuration of a server. Resolves to a function that starts the server and resolves when it is ready.
 */
async function launcher(
  home: string,
  name: string,
  program: 'redis-server' | 'redis-sentinel',
  lines: readonly string[],
  place = LOOPBACK,
): Promise<() => Promise<SupervisedProcess>> {
  const folder = await mkdtemp(join(home, `${name}-`));
  const file = join(folder, 'redis.conf');
  const fixed = [`bind ${place.address}`, `dir ${folder}`];
  // Snapshot settings do not apply to a Sentinel.
  const more = program === 'redis-server' ? ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0'] : [];
  await writeFile(file, [...fixed, ...more, ...lines, ''].join('\n'));
  const command = await serverProgram(folder, program);
  let starts = 0;
  return async () => {
    const process = supervise({
      ...commandAt(place, command, [file]),
      cwd: folder,
      logFile: join(folder, `redis-${++starts}.log`),
      removeAtEnd: home,
    });
    await waitFor(
      `${name} to be ready`,
      () => !process.running || /Ready to accept|Sentinel ID is/.test(process.output()),
    );
    if (!process.running) throw new Error(`${name} ended:\n${process.output()}`);
    return process;
  };
}

/** Starts a restartable server. `process` is the current process. */
async function startAgain(launchServer: () => Promise<SupervisedProcess>) {
  let process: SupervisedProcess | undefined;
  const control = await restartable(async () => (process = await launchServer()));
  return {
    control,
    get process() {
      return process as SupervisedProcess;
    },
  };
}

async function endAll(processes: readonly SupervisedProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.endAll()));
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
}
