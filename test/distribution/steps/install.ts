import path from 'node:path';
import type { Server } from '#test/compose-check/check-project.ts';
import { CHART } from '../chart-source.ts';
import type { Cluster } from '../cluster/cluster.ts';

export const RELEASE = 'trapline';
const VALUES = path.join(import.meta.dirname, '../cluster/values.yaml');

/** Installs the chart, waits until all pods are ready, and runs `helm test`. */
export async function installChart({ helm, kubectl }: Cluster, prefix: string): Promise<string> {
  const images = [`--set=image.repository=${prefix}platform`, `--set=detector.image.repository=${prefix}detector`];
  await helm('install', RELEASE, CHART, `--values=${VALUES}`, ...images, '--wait', '--timeout=10m');
  await helm('test', RELEASE, '--timeout=2m');
  const names = await kubectl('get', 'pods', `--selector=app.kubernetes.io/instance=${RELEASE}`, '--output=name');
  return `${names.trim().split('\n').length} pods are ready, helm test passed`;
}

/** Changes values of the release. Resolves when the pods have been updated and are ready. */
export async function changeValues({ helm }: Cluster, ...changes: readonly string[]): Promise<void> {
  await helm('upgrade', RELEASE, CHART, '--reuse-values', ...changes, '--wait', '--timeout=10m');
}

/** Returns the address of the `api` Service, which is reachable from the node's machine, and the operator key. */
export async function serverOf({ kubectl, operatorKey }: Cluster): Promise<Server> {
  const address = await kubectl('get', 'service', `${RELEASE}-api`, '--output=jsonpath={.spec.clusterIP}');
  return { url: `http://${address}`, key: operatorKey };
}
