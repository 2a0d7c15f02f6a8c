import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type EngineExit, EngineStartError } from './engine.ts';
import { directoryInUse, saysInUse } from './postgres-errors.ts';

const ANSWER_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** All connections are in use (SQLSTATE class 53, insufficient resources), so the server is working. */
const BUSY = /^53/;
/** The server is running but rejects our role, its password or its database. Waiting does not help. */
const REJECTED = new Set(['28P01', '28000', '3D000']);

/**
 * Returns whether the engine is serving: true if it responds or all its connections are in use, false if it has ended,
 * is stopped or hangs. Never rejects.
 */
export async function isPostgresServing(engine: { readonly url: string }): Promise<boolean> {
  const code = await answerOf(engine.url);
  return code === undefined || BUSY.test(code);
}

/** Returns the error code that our role gets; undefined if its query succeeds. */
async function answerOf(url: string): Promise<string | undefined> {
  const timeouts = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS };
  const client = new Client({ connectionString: url, application_name: 'trapline check', ...timeouts });
  client.on('error', () => {}); // The failed query reports the error.
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    return String((error as { code?: unknown }).code ?? 'no answer');
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Resolves when the engine responds to our role. Rejects with `EngineStartError` if it ends, rejects the role or does
 * not respond in time.
 */
export async function firstAnswer(url: string, exited: Promise<EngineExit>): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  let gone: EngineExit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  while (Date.now() < deadline) {
    const code = await answerOf(url);
    if (gone) throw startError(gone);
    if (code === undefined) return;
    if (REJECTED.has(code)) {
      throw new EngineStartError(
        'failed',
        `the local PostgreSQL engine rejects Trapline's role (SQLSTATE ${code}): ` +
          'remove the file `layout` of its data directory, the next start prepares the role again',
      );
    }
    await delay(20);
  }
  throw new EngineStartError('no_answer', 'the local PostgreSQL engine does not respond on its socket');
}

function startError({ stderr, code, signal }: EngineExit): EngineStartError {
  if (saysInUse(stderr)) return directoryInUse();
  return new EngineStartError(
    'failed',
    `the local PostgreSQL engine ended at once (code ${code}, signal ${signal}): ${stderr}`,
  );
}
