import { randomBytes } from 'node:crypto';
import type { Server } from '#test/compose-check/check-project.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { type Cluster, literals, seconds } from '../cluster/cluster.ts';
import { NODE } from '../cluster/node.ts';
import { changeValues, RELEASE, serverOf } from './install.ts';

/** Script that crashes: it reads from an unmapped address. */
const CRASH = `process.title = process.argv[1];
const { functions } = process.getBuiltinModule('node:ffi').dlopen(null, { strlen: { arguments: ['pointer'], return: 'u64' } });
functions.strlen(8n);`;

/**
 * Enrols the node, starts the DaemonSet unprivileged and then privileged, and crashes a process of a pod under each.
 */
export async function reportCrash(cluster: Cluster): Promise<string> {
  const server = await serverOf(cluster);
  await cluster.kubectl(
    'create',
    'secret',
    'generic',
    'trapline-detector',
    ...literals({ 'api-key': await enrol(server) }),
  );
  const figures: string[] = [];
  for (const privileged of [false, true]) {
    await changeValues(cluster, '--set=detector.enabled=true', `--set=detector.privileged=${privileged}`);
    await cluster.kubectl('rollout', 'status', `daemonset/${RELEASE}-detector`, '--timeout=120s');
    figures.push(`${privileged ? 'privileged' : 'unprivileged'}: ${await crashSeen(cluster, server)} s`);
  }
  return `from a crash in a pod to its event, ${figures.join(', ')}`;
}

/** Enrols the node. Resolves to its key. */
async function enrol({ url, key }: Server): Promise<string> {
  const post = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { token = '' } = await post('/api/admin/detector-tokens', { hostname: NODE });
  const { apiKey = '' } = await post('/api/detectors/enrolment', { token, hostname: NODE, version: '0.1.0' });
  return apiKey;
}

async function crashSeen({ kubectl }: Cluster, { url, key }: Server): Promise<string> {
  const name = `crash-${randomBytes(4).toString('hex')}`;
  const image = await kubectl('get', 'deployment', `${RELEASE}-api`, '--output=jsonpath={..image}');
  const node = ['/usr/local/bin/node', '--no-warnings', '--disable-wasm-trap-handler', '--eval', CRASH, name];
  const crashed = Date.now();
  const options = [`--image=${image}`, '--image-pull-policy=Never', '--restart=Never', '--command'];
  await kubectl('run', name, ...options, '--', ...node);
  await waitFor(
    `an event of ${name} on ${NODE}`,
    async () => {
      const query = `procname=${name}&hostname=${NODE}`;
      const response = await fetch(`${url}/api/events?${query}`, { headers: { 'x-api-key': key } });
      return ((await response.json()) as { readonly data: readonly unknown[] }).data.length > 0;
    },
    { timeoutMs: 120_000, everyMs: 250 },
  );
  const took = seconds(crashed);
  await kubectl('delete', 'pod', name);
  return took;
}
