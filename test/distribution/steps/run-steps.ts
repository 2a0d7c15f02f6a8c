import { type Cluster, seconds, startCluster } from '../cluster/cluster.ts';
import type { Tools } from '../tools/build-tools.ts';
import { reportCrash } from './detector.ts';
import { sendCapture } from './events.ts';
import { installChart } from './install.ts';
import { drainNode, restartPods, upgradeChart } from './roll-over.ts';
import { uninstallChart } from './uninstall.ts';

export type Report = (line: string) => void;

/** Runs one step against the installed chart. Resolves to its figures. */
export type Step = (cluster: Cluster) => Promise<string>;

/** All steps, in the order in which they run. Each step except the last leaves the chart installed. */
const ALL: Readonly<Record<string, Step>> = {
  events: sendCapture,
  restart: restartPods,
  upgrade: upgradeChart,
  drain: drainNode,
  detector: reportCrash,
  uninstall: uninstallChart,
};
export const STEPS = Object.keys(ALL);

/**
 * Starts the cluster, installs the chart and runs the steps `chosen`, or all steps. A failed step does not prevent
 * later steps from running.
 */
export async function runSteps(tools: Tools, chosen: readonly string[], prefix: string, report: Report): Promise<void> {
  const cluster = await startCluster(tools, prefix, report);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      report(`${signal}: removing the cluster`);
      void cluster.stop().finally(() => process.exit(1));
    });
  const timed = async (name: string, step: Step) => {
    const started = Date.now();
    const figures = await step(cluster);
    report(`${name}: ${figures} (${seconds(started)} s)`);
  };
  const failed: string[] = [];
  try {
    await timed('install', (one) => installChart(one, prefix));
    for (const [name, step] of Object.entries(ALL).filter(([one]) => chosen.length === 0 || chosen.includes(one)))
      await timed(name, step).catch(async (error: Error) => {
        failed.push(name);
        process.stderr.write(`${await state(cluster)}\n${name}: ${error.message}\n`);
      });
  } catch (error) {
    process.stderr.write(`${await state(cluster)}\n`);
    throw error;
  } finally {
    await cluster.stop();
  }
  if (failed.length > 0) throw new Error(`steps that failed: ${failed.join(', ')}`);
}

/** Returns the state of the objects of the namespace, for the report of a failed run. */
async function state({ kubectl }: Cluster): Promise<string> {
  const outputs = await Promise.allSettled([
    kubectl('get', 'all', '--output=wide'),
    kubectl('get', 'events', '--sort-by=.lastTimestamp'),
    kubectl('logs', '--selector=app.kubernetes.io/name=trapline', '--tail=20', '--prefix', '--all-containers'),
  ]);
  return outputs.map((output) => (output.status === 'fulfilled' ? output.value : String(output.reason))).join('\n');
}
