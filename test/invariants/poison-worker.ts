import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import type { IsolationGate } from '#api/leases/isolation.ts';
import { createDatabase } from '#api/postgres/database.ts';

/**
 * Workers of executions and jobs in one process, which some of the work kills, as a fault in native code would: `node
 * poison-worker.ts DATABASE_URL`. A script or payload states how long the work takes (ms), or is `poison`, which kills
 * the process.
 */
const [url = ''] = process.argv.slice(2);
flushCompileCache(); // a killed process writes no compile cache at exit
const database = createDatabase({ url, connections: 6 });
const logger = pino({ level: 'warn' });
const isolationGate: IsolationGate = { holder: undefined, busy: new Map() };
const times = { leaseMs: 3_000, renewMs: 500, pollMs: 100 };

async function work(what: string): Promise<string> {
  // `poison` waits, so that the process has leased innocent work as well when it ends.
  await pause(what === 'poison' ? 150 : Number(what));
  if (what === 'poison') process.kill(process.pid, 'SIGKILL');
  return what;
}
const script = (name: string, code: string) => ({ [name]: { run: { script: { language: 'javascript', code } } } });

createExecutionWorker(
  {
    database,
    logger,
    isolationGate,
    interpreter: createInterpreter({ evaluate: () => Promise.reject(new Error('no expressions here')) }),
    definitions: async (version) => ({
      document: { dsl: '1.0.0', namespace: 'test', name: version, version: '1.0.0' },
      do: [script('first', '20'), script('second', version === 'poison' ? 'poison' : '400'), script('third', '20')],
    }),
    runTask: async (task) => (task.kind === 'script' ? work(task.code) : null),
  },
  times,
);
createJobWorker(
  {
    database,
    logger,
    isolationGate,
    handlers: { work: { handle: ({ payload }) => work(String(payload)), concurrency: 10 } },
  },
  times,
);
