import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Place } from './place.ts';

const run = promisify(execFile);
/** No interface has this MAC address, so packets to it are dropped. */
const NOWHERE = '02:00:00:00:00:ff';
const INTERFACE = 'eth0';

/** A host of the network: a network namespace with two addresses. */
export interface NetworkHost extends Place {
  readonly name: string;
}

export interface Network {
  /** Address of this process in the network. */
  readonly address: string;
  addHost(name: string): Promise<NetworkHost>;
  /** Drops all packets between the two hosts from now on, in both directions. Their connections stay open. */
  cut(one: NetworkHost, other: NetworkHost): Promise<void>;
  /** Ends the cut. */
  heal(one: NetworkHost, other: NetworkHost): Promise<void>;
}

/** True in a process whose network namespaces disappear with it: see `isolatedCommand`. */
export function isIsolated(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.TEST_ISOLATED === 'yes';
}

/**
 * Returns the command that runs in new network and mount namespaces. Its mounts and its network disappear with the last
 * of its processes. Needs root.
 */
export function isolatedCommand(command: readonly string[]): { readonly command: string; readonly args: string[] } {
  return {
    command: 'unshare',
    args: ['--net', '--mount', '--propagation', 'private', 'env', 'TEST_ISOLATED=yes', ...command],
  };
}

/** Creates an empty network: a bridge in the network namespace of this process, which must be isolated. */
export async function createNetwork(): Promise<Network> {
  if (!isIsolated()) throw new Error('the network needs namespaces of its own: see isolatedCommand');
  await run('mkdir', ['-p', '/run/netns']);
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  const address = '10.77.0.1';
  await ip('link set lo up');
  await ip('link add hub type bridge');
  await ip(`addr add ${address}/16 dev hub`);
  await ip('link set hub up');
  let hosts = 1;

  async function setRoutes(from: NetworkHost, to: NetworkHost, command: (address: string) => string): Promise<void> {
    for (const each of [to.address, to.peerAddress]) await ip(`-n ${from.name} neigh ${command(each)}`);
  }

  return {
    address,
    async addHost(name) {
      hosts++;
      const host = {
        name,
        address: `10.77.0.${hosts}`,
        peerAddress: `10.77.1.${hosts}`,
        within: ['nsenter', `--net=/run/netns/${name}`],
      };
      const inside = `-n ${name}`;
      await ip(`netns add ${name}`);
      await ip(`link add port${hosts} type veth peer name ${INTERFACE} netns ${name}`);
      await ip(`link set port${hosts} master hub up`);
      for (const each of [host.address, host.peerAddress]) await ip(`${inside} addr add ${each}/16 dev ${INTERFACE}`);
      for (const each of ['lo', INTERFACE]) await ip(`${inside} link set ${each} up`);
      return host;
    },
    async cut(one, other) {
      const drop = (address: string) => `replace ${address} lladdr ${NOWHERE} dev ${INTERFACE} nud permanent`;
      await setRoutes(one, other, drop);
      await setRoutes(other, one, drop);
    },
    async heal(one, other) {
      const forget = (address: string) => `del ${address} dev ${INTERFACE}`;
      await setRoutes(one, other, forget);
      await setRoutes(other, one, forget);
    },
  };
}

async function ip(command: string): Promise<void> {
  await run('ip', command.split(' '));
}
