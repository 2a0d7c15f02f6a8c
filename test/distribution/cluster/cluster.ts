import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { docker } from '#deploy/images/docker.ts';
import { run } from '../run.ts';
import type { Tools } from '../tools/build-tools.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { importImages, makeNextImage, makePauseImage, NEXT_TAG } from './images.ts';
import { prepareMachine } from './machine.ts';
import { GATEWAY, PAUSE_IMAGE, startNode } from './node.ts';
import { startServiceNames } from './service-names.ts';

export const NAMESPACE = 'trapline';
/** Image names of the stand-ins: those of deploy/compose/cluster.yaml. */
const STORES = ['apache/kafka:4.3.1', 'clickhouse/clickhouse-server:26.7', 'postgres:17', 'redis:7'];
const POD_END_TIMEOUT = '--timeout=120s';

/** A single-node Kubernetes on this machine, with the stores of Trapline in the namespace `NAMESPACE`. */
export interface Cluster {
  /** Runs kubectl in the namespace. Resolves to its standard output. */
  kubectl(...args: readonly string[]): Promise<string>;
  helm(...args: readonly string[]): Promise<string>;
  /** The operator key of the installation. */
  readonly operatorKey: string;
  /** Returns the end of the log of each program of the cluster. */
  logs(): string;
  stop(): Promise<void>;
}

/**
 * Starts the cluster with the images with the prefix `prefix`, which `npm run images -- build` made. Resolves when the
 * stores are ready.
 */
export async function startCluster(tools: Tools, prefix: string, report: (line: string) => void): Promise<Cluster> {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-kubernetes-'));
  const started = Date.now();
  const machine = await prepareMachine(tools.kube);
  let plane: ControlPlane | undefined;
  let names: { stop(): Promise<void> } | undefined;
  const stop = async () => {
    if (plane !== undefined) {
      // Delete the pods while the node can still end them: container processes are not children of this process.
      await plane
        .kubectl(
          'delete',
          'daemonsets,statefulsets,deployments,jobs,pods',
          '--all',
          '--all-namespaces',
          POD_END_TIMEOUT,
        )
        .catch((error: Error) => report(error.message));
      await plane.stop();
    }
    await names?.stop();
    await unmountBelow(home);
    await machine.restore();
    await rm(home, { recursive: true, force: true });
  };
  try {
    plane = await startControlPlane(tools.kube, home);
    const { kubectl, kubeconfig, logs } = plane;
    const { containerd } = await startNode(tools.kube, plane);
    names = await startServiceNames(GATEWAY, async () => {
      const line = '{.metadata.name}.{.metadata.namespace} {.spec.clusterIP}{"\\n"}';
      const format = `--output=jsonpath={range .items[?(@.spec.clusterIP!="None")]}${line}{end}`;
      const lines = (await kubectl('get', 'services', '--all-namespaces', format)).trim().split('\n');
      return new Map(lines.map((text) => text.split(' ') as [string, string]));
    });
    report(`Kubernetes: ready after ${seconds(started)} s`);
    await makePauseImage();
    await makeNextImage(`${prefix}platform:latest`, `${prefix}platform:${NEXT_TAG}`);
    const ours = [`${prefix}platform:latest`, `${prefix}platform:${NEXT_TAG}`, `${prefix}detector:latest`];
    await importImages(containerd, [PAUSE_IMAGE, ...STORES, ...ours]);
    const inNamespace = (...args: readonly string[]) => kubectl(`--namespace=${NAMESPACE}`, ...args);
    const operatorKey = await startStores(inNamespace, home);
    report(`stores: ready after ${seconds(started)} s`);
    return {
      kubectl: inNamespace,
      helm: (...args) => run(tools.helm, [`--kubeconfig=${kubeconfig}`, `--namespace=${NAMESPACE}`, ...args]),
      operatorKey,
      logs,
      stop,
    };
  } catch (error) {
    process.stderr.write(`${plane?.logs() ?? ''}\n`);
    await stop();
    throw error;
  }
}

/** Unmounts the mounts that the kubelet and containerd leave in their folders. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((one) => one.startsWith(`${folder}/`)).toReversed()) await run('umount', [mount]);
}

/** Creates the namespace, the Secret `trapline` and the stores. Resolves to the operator key. */
async function startStores(kubectl: Cluster['kubectl'], home: string): Promise<string> {
  const secrets = makeSecrets();
  await kubectl('create', 'namespace', NAMESPACE);
  await kubectl('create', 'secret', 'generic', 'trapline', ...literals(secrets));
  const uid = await docker('run', '--rm', '--entrypoint=id', 'postgres:17', '-u', 'postgres');
  const manifest = path.join(home, 'stores.yaml');
  const template = await readFile(path.join(import.meta.dirname, 'stores.yaml'), 'utf8');
  await writeFile(manifest, template.replace('POSTGRES_UID', uid));
  await kubectl('apply', `--filename=${manifest}`);
  await kubectl('wait', '--for=condition=Ready', 'pods', '--all', '--timeout=300s');
  return secrets['operator-key'];
}

function makeSecrets() {
  const random = () => randomBytes(32).toString('base64url');
  const [postgres, redis] = [random(), random()];
  return {
    'operator-key': `operator.${random()}`,
    'admin-key': random(),
    'auth-secret': random(),
    'jwt-secret': random(),
    'clickhouse-password': random(),
    'postgres-password': postgres,
    'database-url': `postgres://trapline:${postgres}@postgres:5432/trapline`,
    'redis-conf': `requirepass ${redis}\n`,
    'redis-url': `redis://:${redis}@redis:6379`,
  };
}

export function literals(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--from-literal=${name}=${value}`);
}

export function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(1);
}
