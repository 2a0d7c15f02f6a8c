import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';

/** Host resources that the operator allows for containers of workflows. */
export interface ContainerAccess {
  /** Directories, including those below, and names of volumes. */
  readonly volumes: readonly string[];
  /** Range of host ports; undefined if no port is allowed. */
  readonly ports: { readonly from: number; readonly to: number } | undefined;
}

export const NO_ACCESS: ContainerAccess = { volumes: [], ports: undefined };

/** A mount of the Docker Engine API. */
export interface Mount {
  readonly Type: 'bind' | 'volume';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
}

/** Thrown for a part of a container that is refused. The message names it. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused';
}

/**
 * Returns the mounts of `volumes`: a host directory or volume name, and its path in the container, with `:ro` for
 * read-only. Throws `AccessRefused` for mounts that the operator does not allow. Resolves links on this machine and
 * checks their targets.
 */
export async function mountsOf(
  volumes: Readonly<Record<string, string>>,
  { volumes: allowed }: ContainerAccess,
  resolveLinks: (path: string) => Promise<string> = realpath,
): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const [source, given] of Object.entries(volumes)) {
    const target = given.replace(/:r[ow]$/, '');
    if (!target.startsWith('/') || target.includes(':') || posix.normalize(target) === '/')
      throw new AccessRefused(`the volume ${source} needs an absolute path in the container (got ${given})`);
    const place = source.startsWith('/') ? await pathOf(source, resolveLinks) : source;
    if (!isAllowed(place, allowed))
      throw new AccessRefused(
        `the operator does not allow the volume ${source}: TRAPLINE_CONTAINER_VOLUMES does not list ${place}`,
      );
    mounts.push({
      Type: place.startsWith('/') ? 'bind' : 'volume',
      Source: place,
      Target: target,
      ReadOnly: given.endsWith(':ro'),
    });
  }
  return mounts;
}

/** Returns the path with links resolved if it exists on this machine. The engine may run on another one. */
async function pathOf(path: string, resolveLinks: (path: string) => Promise<string>): Promise<string> {
  const plain = posix.resolve(path);
  return resolveLinks(plain).catch(() => plain);
}

function isAllowed(place: string, allowed: readonly string[]): boolean {
  return allowed.some((each) => {
    const folder = each.startsWith('/') ? posix.resolve(each) : each;
    return place === folder || (folder.startsWith('/') && place.startsWith(folder === '/' ? '/' : `${folder}/`));
  });
}

/** Published ports of the Docker Engine API, by container port. */
export type PortBindings = Readonly<Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[]>>;

/** Returns the bindings of `ports` (host port → container port) on 127.0.0.1. Throws `AccessRefused`. */
export function portsOf(ports: Readonly<Record<string, string>>, { ports: allowed }: ContainerAccess): PortBindings {
  const bindings = Object.entries(ports).map(([outside, inside]) => {
    const [port, protocol = 'tcp'] = inside.split('/');
    if (!isPort(outside) || !isPort(port ?? '') || !['tcp', 'udp'].includes(protocol))
      throw new AccessRefused(`ports are numbers from 1 to 65535 (got ${outside}: ${inside})`);
    if (allowed === undefined || Number(outside) < allowed.from || Number(outside) > allowed.to)
      throw new AccessRefused(
        `the operator does not allow the port ${outside}: TRAPLINE_CONTAINER_PORTS does not contain it`,
      );
    return [`${port}/${protocol}`, [{ HostIp: '127.0.0.1', HostPort: outside }]] as const;
  });
  return Object.fromEntries(bindings);
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
