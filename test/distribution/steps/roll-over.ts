import { waitFor } from '#test/support/wait-for.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { NEXT_TAG } from '../cluster/images.ts';
import { NODE } from '../cluster/node.ts';
import { changeValues, RELEASE, serverOf } from './install.ts';
import { startTraffic } from './traffic.ts';

const WORKLOADS = [`deployment/${RELEASE}-api`, `statefulset/${RELEASE}-ingest`, `deployment/${RELEASE}-worker`];
const OURS = `app.kubernetes.io/instance=${RELEASE}`;

/** Replaces every pod while requests and events arrive. */
export function restartPods(cluster: Cluster): Promise<string> {
  return underTraffic(cluster, async () => {
    for (const workload of WORKLOADS) await cluster.kubectl('rollout', 'restart', workload);
    await rolledOut(cluster);
  });
}

/** Upgrades to an image with one more migration, which the hook of the chart runs, while requests and events arrive. */
export async function upgradeChart(cluster: Cluster): Promise<string> {
  const figures = await underTraffic(cluster, async () => {
    await changeValues(cluster, `--set=image.tag=${NEXT_TAG}`);
    await rolledOut(cluster);
  });
  // Pods of the earlier version that are still draining count as pods of the release.
  await waitFor('all pods to run the new image', async () => {
    const images = await cluster.kubectl(
      'get',
      'pods',
      `--selector=${OURS}`,
      '--output=jsonpath={.items[*].spec..image}',
    );
    return images.split(' ').every((image) => image.endsWith(`:${NEXT_TAG}`));
  });
  return figures;
}

/**
 * Drains the only node while traffic continues, then makes it schedulable again. The disruption budgets allow the
 * eviction of one pod per component, whose replacement finds no node, and protect the other pods.
 */
export async function drainNode(cluster: Cluster): Promise<string> {
  const { kubectl } = cluster;
  let refused = '';
  const figures = await underTraffic(cluster, async () => {
    try {
      refused = await kubectl('drain', NODE, `--pod-selector=${OURS}`, '--delete-emptydir-data', '--timeout=45s').then(
        () => '',
        ({ message }: Error) => /violate the pod's disruption budget/.exec(message)?.[0] ?? message,
      );
      if (!refused.includes('disruption budget')) throw new Error(`the budgets did not stop the drain: ${refused}`);
    } finally {
      await kubectl('uncordon', NODE);
    }
    await rolledOut(cluster);
  });
  return `the disruption budgets kept a pod of api and ingest; ${figures}`;
}

async function underTraffic(cluster: Cluster, work: () => Promise<void>): Promise<string> {
  const traffic = startTraffic(await serverOf(cluster));
  try {
    await work();
  } catch (error) {
    await traffic.stop().catch(() => {}); // report the failure of `work` only
    throw error;
  }
  return traffic.stop();
}

async function rolledOut({ kubectl }: Cluster): Promise<void> {
  for (const workload of WORKLOADS) await kubectl('rollout', 'status', workload, '--timeout=300s');
}
