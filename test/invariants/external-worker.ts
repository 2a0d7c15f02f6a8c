import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createClient, createWorker, type LeasedTask } from '#api/clients/typescript/src/index.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { OPERATOR_KEY } from '#test/api/operator-guard.ts';

/**
 * External worker of the client that a test kills at any moment: `node external-worker.ts DATABASE_URL BASE_URL…`. For
 * each lease it records a row with a unique mark in the database, takes some time, and completes the task with the
 * mark.
 */
const [url = '', ...servers] = process.argv.slice(2);
const world = createDatabase({ url, connections: 2 });

async function note({ idempotencyKey, fencingToken, input }: LeasedTask): Promise<object> {
  const mark = randomUUID();
  await sql`
    INSERT INTO worker_effects (mark, key, token, pid) VALUES (${mark}, ${idempotencyKey}, ${fencingToken}, ${process.pid})`.execute(
    world,
  );
  await pause(20 + Math.random() * 100);
  return { mark, key: idempotencyKey, token: fencingToken, after: (input as { mark?: string } | null)?.mark ?? null };
}

for (const baseUrl of servers)
  createWorker(createClient({ apiKey: OPERATOR_KEY, baseUrl, maxRetries: 1 }), {
    queue: 'oracle',
    handlers: { note },
    concurrency: 3,
    leaseSeconds: 5,
    name: `oracle-${process.pid}`,
    onError: () => {},
  });
