import type { Cluster } from '../cluster/cluster.ts';
import { RELEASE } from './install.ts';

const KINDS =
  'deployments,statefulsets,daemonsets,jobs,pods,services,configmaps,poddisruptionbudgets,networkpolicies,horizontalpodautoscalers,ingresses';

/** Removes the release. Throws when an object of it is left. */
export async function uninstallChart({ helm, kubectl }: Cluster): Promise<string> {
  await helm('uninstall', RELEASE, '--wait', '--timeout=5m');
  const left = await kubectl('get', KINDS, `--selector=app.kubernetes.io/instance=${RELEASE}`, '--output=name');
  if (left.trim() !== '') throw new Error(`objects of the release are left: ${left}`);
  return 'no object of the release is left';
}
