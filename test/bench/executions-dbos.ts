import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOS_APPLICATION, DBOS_QUEUE, PARALLEL_STEPS, THREE_STEPS, type Workload } from './executions-workloads.ts';

/**
 * The workloads as DBOS workflows, in a child process: `node executions-dbos.ts DATABASE_URL`. DBOS records the result
 * of each step with one statement before the next step begins. It claims queued workflows only by polling, here every
 * 20 ms instead of every second.
 */
const [url = ''] = process.argv.slice(2);
const step = (name: string) => DBOS.runStep(async () => ({ done: name }), { name });

const WORKFLOWS: Readonly<Record<Workload, () => Promise<void>>> = {
  async three() {
    for (const name of THREE_STEPS) await step(name);
  },
  async ten() {
    await step('first');
    await Promise.all(PARALLEL_STEPS.map(step));
    await step('last');
  },
};
for (const [name, workflow] of Object.entries(WORKFLOWS))
  DBOS.registerWorkflow((_input: unknown) => workflow(), { name });

DBOS.setConfig({
  name: DBOS_APPLICATION,
  systemDatabaseUrl: url,
  systemDatabasePoolSize: 10,
  applicationVersion: DBOS_APPLICATION,
  executorID: String(process.pid),
  logLevel: 'error',
});

process.on('message', async ({ task }: { task: 'start' | 'stop' }) => {
  if (task === 'start') {
    await DBOS.launch();
    await DBOS.registerQueue(DBOS_QUEUE, { workerConcurrency: 100, minPollingIntervalMs: 20 });
  } else await DBOS.shutdown();
  process.send?.({ answer: task });
});

// The benchmark has ended.
process.on('disconnect', () => process.exit());
