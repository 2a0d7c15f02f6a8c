import { pino } from 'pino';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker, type ExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { DEFINITIONS } from './executions-workloads.ts';

/**
 * A worker in a child process: `node executions-process.ts DATABASE_URL`. It works from `start` to `stop`, and reports
 * when a first step begins and when a hanging task begins or is aborted. Times are milliseconds since the epoch.
 */
export type ExecutionsTask = { readonly task: 'start' | 'stop' };
export type ExecutionsAnswer =
  | { readonly answer: 'start' | 'stop' }
  | { readonly answer: 'first' | 'hangs' | 'aborted'; readonly id: string; readonly at: number };

const [url = ''] = process.argv.slice(2);
const database = createDatabase({ url, connections: 6 });
const logger = pino({ level: 'silent' });
const say = (answer: ExecutionsAnswer) => process.send?.(answer);
const now = () => performance.timeOrigin + performance.now();
let worker: ExecutionWorker | undefined;

process.on('message', async ({ task }: ExecutionsTask) => {
  if (task === 'start') worker = start();
  else await worker?.stop();
  say({ answer: task });
});

function start(): ExecutionWorker {
  return createExecutionWorker({
    database,
    interpreter: createInterpreter({ evaluate: () => Promise.reject(new Error('no expressions here')) }),
    definitions: async (version) => DEFINITIONS[version as keyof typeof DEFINITIONS],
    async runTask(task, { executionId: id, signal }) {
      const code = task.kind === 'script' ? task.code : '';
      if (code === 'report') say({ answer: 'first', id, at: now() });
      if (code === 'hang') {
        say({ answer: 'hangs', id, at: now() });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        say({ answer: 'aborted', id, at: now() });
      }
      return { done: code };
    },
    logger,
    listenUrl: url,
  });
}

// The parent has ended.
process.on('disconnect', () => process.exit());
