import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { buildApp } from '#api/app.ts';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { workerTaskRoutes } from '#api/executions/routes/worker-tasks.ts';
import { createTaskPolls } from '#api/executions/worker-tasks/polls.ts';
import { createWorkerTasks } from '#api/executions/worker-tasks/worker-tasks.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { operatorGuard } from '#test/api/operator-guard.ts';

/**
 * Serves the routes of external workers and runs a worker of the engine in one process that a test kills at any moment:
 * `node external-workers-server.ts DATABASE_URL PORT`.
 */
const [url = '', port = '0'] = process.argv.slice(2);
const logger = pino({ level: 'warn' });
const database = createDatabase({ url, connections: 8 });
const call = { call: 'trapline.worker', with: { queue: 'oracle', type: 'note' } };
const definition: WorkflowDefinition = {
  document: { dsl: '1.0.0', namespace: 'oracle', name: 'workers', version: '1.0.0' },
  do: [{ first: call }, { second: call }],
};

const app = await buildApp({
  logger: pino({ level: 'silent' }),
  registry: new Registry(),
  components: {},
  clickhouse: createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' }),
  rules: DEFAULT_DETECTION_SETTINGS,
  redrive: async ({ id }) => ({ id, outcome: 'not_found' }),
  guard: operatorGuard(),
  submitEvents: async ({ items }) => ({ accepted: items.length, rejected: [], rejectedTotal: 0 }),
});
await app.register(async (scope) =>
  workerTaskRoutes(scope as ApiServer, {
    database,
    workerTasks: createWorkerTasks({
      database,
      wakeUp: createWakeUp({ database, logger }),
      polls: createTaskPolls({ logger, listenUrl: url }),
    }),
  }),
);
await app.listen({ host: '127.0.0.1', port: Number(port) });

createExecutionWorker(
  {
    database,
    listenUrl: url,
    logger,
    interpreter: createInterpreter({ evaluate: () => Promise.reject(new Error('no expressions here')) }),
    definitions: async () => definition,
    runTask: () => Promise.reject(new Error('no tasks here')),
  },
  // High crash limit: the test kills the process often, and work must not fail because of that.
  { leaseMs: 8_000, renewMs: 2_000, pollMs: 200, places: 20, maxCrashes: 10_000 },
);
