import { type Runner, run } from 'graphile-worker';
import { Pool } from 'pg';
import { PARALLEL_STEPS, THREE_STEPS } from './executions-workloads.ts';

/**
 * The workloads as graphile-worker jobs, in a child process: `node executions-graphile.ts DATABASE_URL`. A job runs all
 * steps of a run. Each step is written with the state of the run in one statement, as in the engine.
 */
const [url = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 12 });
let runner: Runner | undefined;

async function record(id: string, step: string, status: 'running' | 'completed' = 'running'): Promise<void> {
  await pool.query({
    name: 'step',
    text: `
      WITH moved AS (UPDATE bench_runs SET state = $3, status = $4 WHERE id = $1 RETURNING id)
      INSERT INTO bench_steps (run_id, step, output) SELECT id, $2, $3 FROM moved`,
    values: [id, step, JSON.stringify({ done: step }), status],
  });
}

process.on('message', async ({ task }: { task: 'start' | 'stop' }) => {
  if (task === 'start')
    runner = await run({
      connectionString: url,
      concurrency: 10,
      pollInterval: 1_000,
      noHandleSignals: true,
      maxPoolSize: 10,
      taskList: {
        async three(payload) {
          const { id } = payload as { id: string };
          for (const step of THREE_STEPS) await record(id, step, step === 'third' ? 'completed' : 'running');
        },
        async ten(payload) {
          const { id } = payload as { id: string };
          await record(id, 'first');
          await Promise.all(PARALLEL_STEPS.map((step) => record(id, step)));
          await record(id, 'last', 'completed');
        },
      },
    });
  else await runner?.stop();
  process.send?.({ answer: task });
});

// The benchmark has ended.
process.on('disconnect', () => process.exit());
