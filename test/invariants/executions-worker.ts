import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { insertEffect, ORACLE_DEFINITIONS } from './executions-world.ts';

/**
 * Worker of executions in a separate process that a test kills at any moment: `node executions-worker.ts DATABASE_URL
 * LEASE_MS`. A task first records its start as a row in the database, and then takes some time.
 */
const [url = '', leaseMs = '8000'] = process.argv.slice(2);
flushCompileCache(); // a killed process writes no compile cache at exit
/** Crash limit: the test kills the worker often, and work must not fail because of that. */
const KILLED_OFTEN = 10_000;
const database = createDatabase({ url, connections: 4 });
const world = createDatabase({ url, connections: 2 });

createExecutionWorker(
  {
    database,
    listenUrl: url,
    logger: pino(),
    interpreter: createInterpreter({ evaluate: () => Promise.reject(new Error('no expressions here')) }),
    definitions: async (version) => ORACLE_DEFINITIONS[version],
    resolveWorkflow: async ({ slug }) => ({ workflowId: `wf_${slug}`, versionId: slug }),
    async runTask(task, { executionId, step, idempotencyKey }) {
      await insertEffect(world, { executionId, step, key: idempotencyKey });
      const ms = task.kind === 'script' ? Number(task.code) : 0;
      if (ms > 0) await pause(ms);
      return { by: process.pid };
    },
  },
  { leaseMs: Number(leaseMs), renewMs: Number(leaseMs) / 4, pollMs: 100, places: 20, maxCrashes: KILLED_OFTEN },
);
