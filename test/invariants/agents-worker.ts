import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createRunWorkflow } from '#api/agents/run/run-workflow.ts';
import { createAgentRunner } from '#api/agents/run/runner.ts';
import { createSchemaCheck } from '#api/agents/schema-check.ts';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createContents } from '#api/executions/files/contents.ts';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import { createFilePayloads } from '#api/executions/payloads/file-payloads.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';
import { createConsoleLines } from '#api/executions/tasks/console-lines.ts';
import { createExecutionWatch } from '#api/executions/watch/watch.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { insertEffect } from './executions-world.ts';

/**
 * Runs agents and the workflows that they start, in a separate process that a test kills at any moment: `node
 * agents-worker.ts DATABASE_URL FOLDER LEASE_MS`. Tasks of workflows record each start as a row in the database.
 */
const [url = '', folder = '', leaseMs = '8000'] = process.argv.slice(2);
flushCompileCache(); // a killed process writes no compile cache at exit
/** Crash limit: the test kills the worker often, and work must not fail because of that. */
const KILLED_OFTEN = 10_000;
const database = createDatabase({ url, connections: 6 });
const world = createDatabase({ url, connections: 2 });
const logger = pino();
const store = createFolderStore({ folder });
const payloads = createFilePayloads(store);
const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }), payloads });
const { definitionOf, resolveWorkflow } = createStoredDefinitions({ database });

createExecutionWorker(
  {
    database,
    listenUrl: url,
    logger,
    payloads,
    interpreter: createInterpreter({ evaluate: () => Promise.reject(new Error('no expressions here')) }),
    definitions: definitionOf,
    resolveWorkflow,
    async runTask(_task, { executionId, step, idempotencyKey }) {
      await insertEffect(world, { executionId, step, key: idempotencyKey });
      return { by: process.pid };
    },
    agents: createAgentRunner({
      database,
      contents: createContents({ database, store }),
      sandbox: createSandbox({ threads: 2 }),
      schemas: createSchemaCheck(),
      outbound: createOutboundFetch({ allow: [] }),
      clickhouse: createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' }),
      secrets: { readFor: async () => new Map() },
      lines: createConsoleLines({ database, logger }),
      runWorkflow: createRunWorkflow({
        database,
        executions,
        watch: createExecutionWatch({ database, logger, listenUrl: url }),
        payloads,
      }),
      model: undefined,
    }),
  },
  { leaseMs: Number(leaseMs), renewMs: Number(leaseMs) / 4, pollMs: 100, places: 10, maxCrashes: KILLED_OFTEN },
);
