import { waitFor } from '#test/support/wait-for.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { RELEASE } from './install.ts';

const KINDS =
  'deployments,statefulsets,daemonsets,jobs,pods,services,configmaps,poddisruptionbudgets,networkpolicies,horizontalpodautoscalers,ingresses';
/** Time for pods to drain: Helm does not wait for them. */
const TIMEOUT_MS = 180_000;

/** Uninstalls the release. Throws when an object of the release remains. */
export async function uninstallChart({ helm, kubectl }: Cluster): Promise<string> {
  await helm('uninstall', RELEASE, '--wait', '--timeout=5m');
  const left = () => kubectl('get', KINDS, `--selector=app.kubernetes.io/instance=${RELEASE}`, '--output=name');
  await waitFor('all objects of the release to be removed', async () => (await left()).trim() === '', {
    timeoutMs: TIMEOUT_MS,
    everyMs: 1_000,
  });
  return 'no object of the release is left';
}
