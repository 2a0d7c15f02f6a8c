import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';

/** What the operator lets containers of workflows use of the machine of the engine. */
export interface ContainerAccess {
  /** Folders, with those below, and names of volumes. */
  readonly volumes: readonly string[];
  /** Ports of the machine, from and to; undefined: none. */
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

/** A part of a container that is refused; the message names it. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused';
}

/**
 * Returns the mounts of `volumes`: a folder of the machine or the name of a volume, and where it is in the container, with `:ro` for one that is only read.
 * Throws `AccessRefused` for what the operator does not allow. Links on this machine are followed: where one leads decides.
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

/** Without links, where this machine has the path; the engine can be on another one. */
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

/** Published ports of the Docker Engine API, by port of the container. */
export type PortBindings = Readonly<Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[]>>;

/** Returns the bindings of `ports`, port of the machine to port of the container, on 127.0.0.1. Throws `AccessRefused`. */
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
