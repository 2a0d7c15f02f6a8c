import type { ProcessFacts } from './process-facts.ts';

export type CgroupFacts = Pick<ProcessFacts, 'unit' | 'container' | 'pod'>;

type Container = NonNullable<ProcessFacts['container']>;

/**
 * Runtimes by their cgroup prefix. Monitors (`crio-conmon-…`) are host processes, and the rest of their name is not a
 * container id.
 */
const RUNTIMES: Readonly<Record<string, string>> = {
  docker: 'docker',
  'cri-containerd': 'containerd',
  nerdctl: 'containerd',
  crio: 'cri-o',
  libpod: 'podman',
  'libpod-payload': 'podman',
};
/**
 * `docker-<id>.scope`, `libpod-<id>`, and `…slice:cri-containerd:<id>` if a runtime expects systemd and it is missing.
 */
const PREFIXED = /(?:^|:)([a-z-]+)[-:]([0-9a-f]{64})(?:\.scope)?$/;
const BARE_ID = /^[0-9a-f]{64}$/;
/** Amazon ECS tasks on Fargate: `<task>-<number>` below `<task>`. */
const ECS_ID = /^[0-9a-f]{32}-\d{1,20}$/;
const LXC = /^lxc\.payload\.(.+)$/;
const NSPAWN = /^systemd-nspawn@(.+)\.service$/;
const POD = /(?:^|-)pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice|$|:)/;
const UNIT = /^[^/]+\.(?:service|scope|socket|mount|swap)$/;
/** Hierarchies in order of preference. Runtimes and systemd always use these. */
const PREFERRED = ['', 'name=systemd', 'memory', 'pids', 'cpu,cpuacct', 'devices', 'freezer', 'cpuset'];

/** Parses `/proc/PID/cgroup` of cgroup version 1, 2 or both. */
export function readCgroup(text: string): CgroupFacts {
  const paths = text
    .split('\n')
    .flatMap((line) => {
      const match = /^\d+:([^:]*):(\/.*)$/.exec(line);
      return match ? [{ rank: rankOf(match[1] as string), path: match[2] as string }] : [];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ path }) => readPath(path));
  const first = <K extends keyof CgroupFacts>(name: K): Pick<CgroupFacts, K> | object => {
    const found = paths.find((facts) => facts[name] !== undefined)?.[name];
    return found === undefined ? {} : { [name]: found };
  };
  return { ...first('unit'), ...first('container'), ...first('pod') };
}

function rankOf(controllers: string): number {
  const rank = PREFERRED.indexOf(controllers);
  return rank < 0 ? PREFERRED.length : rank;
}

/** Searches from the innermost part outwards, so the inner one of nested containers is found. */
function readPath(path: string): CgroupFacts {
  const parts = path.replace(/ \(deleted\)$/, '').split('/');
  let unit: string | undefined;
  let container: Container | undefined;
  let pod: string | undefined;
  for (let i = parts.length - 1; i > 0; i -= 1) {
    const part = parts[i] as string;
    const found = containerOf(parts, i);
    if (found !== undefined) container ??= found;
    // The scope of a container is a unit itself. Units around it do not own the container's processes.
    if (found !== undefined && part.endsWith('.scope')) unit ??= '';
    else if (found === undefined && UNIT.test(part)) unit ??= part;
    pod ??= POD.exec(part)?.[1];
  }
  return {
    ...(unit ? { unit } : {}),
    ...(container === undefined ? {} : { container }),
    ...(pod === undefined ? {} : { pod: { uid: pod.replaceAll('_', '-') } }),
  };
}

function containerOf(parts: readonly string[], at: number): Container | undefined {
  const part = parts[at] as string;
  const parent = parts[at - 1] ?? '';
  const prefixed = PREFIXED.exec(part);
  if (prefixed) {
    const runtime = RUNTIMES[prefixed[1] as string];
    return runtime === undefined ? undefined : { id: prefixed[2] as string, runtime };
  }
  if (BARE_ID.test(part)) return { id: part, ...(parent === 'docker' ? { runtime: 'docker' } : {}) };
  if (ECS_ID.test(part) && parts[at - 2] === 'ecs') return { id: part };
  const lxc = LXC.exec(part)?.[1] ?? (parent === 'lxc' && at === 2 ? part : undefined);
  if (lxc !== undefined) return { id: lxc, runtime: 'lxc' };
  const nspawn = NSPAWN.exec(part);
  if (nspawn && parts[at + 1] === 'payload') return { id: nspawn[1] as string, runtime: 'systemd-nspawn' };
  return undefined;
}
