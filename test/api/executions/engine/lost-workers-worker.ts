import { pino } from 'pino';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import type { WorkflowDefinition } from '#api/executions/engine/port.ts';
import { createExecutionWorker } from '#api/executions/engine/worker.ts';
import { createDatabase } from '#api/store/database.ts';

/** A worker in a process of its own, `node lost-workers-worker.ts DATABASE_URL`: the script `abort` ends it, `hold` ends when the file named in the input exists. */
const [url = ''] = process.argv.slice(2);
const database = createDatabase({ url, connections: 4 });
const definition = (code: string): WorkflowDefinition => ({
  document: { dsl: '1.0.0', namespace: 'lost', name: 'lost', version: '1.0.0' },
  do: [{ step: { run: { script: { language: 'javascript', code } } } }],
});

createExecutionWorker(
  {
    database,
    listenUrl: url,
    logger: pino(),
    interpreter: createInterpreter({ evaluate: () => Promise.reject(new Error('no expressions here')) }),
    definitions: async (version) => definition(version),
    async runTask(task) {
      // The others are in flight by then, and lose their worker as well.
      if (task.kind === 'script' && task.code === 'abort') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
      else await new Promise((resolve) => setTimeout(resolve, 1_000));
      return task.kind === 'script' && task.code === 'abort' ? new Promise(() => {}) : 'done';
    },
  },
  { leaseMs: 2_000, renewMs: 500, pollMs: 100, maxLosses: 3 },
);
