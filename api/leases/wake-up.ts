import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import type { WorkerLogger } from './port.ts';

/** The channel of NOTIFY. The payload is a list of names, such as queues, joined by commas. */
export const WAKE_UP_CHANNEL = 'trapline_jobs';

/**
 * Notifies the workers of all processes that these names have work. Does not block and never rejects, because workers
 * also poll.
 */
export type WakeUp = (...queues: readonly string[]) => void;

/**
 * Sends notifications outside of transactions: NOTIFY inside a transaction makes its commit wait for a lock of the
 * whole server. Names from one iteration of the event loop are sent together, as are names that arrive while a
 * notification is in flight.
 */
export function createWakeUp({
  database,
  logger,
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
}): WakeUp {
  const gathered = new Set<string>();
  let sending = false;

  async function send(): Promise<void> {
    sending = true;
    await new Promise(setImmediate);
    while (gathered.size > 0) {
      const queues = takePayload(gathered);
      await sql`SELECT pg_notify(${WAKE_UP_CHANNEL}, ${queues})`.execute(database).catch((error: unknown) => {
        logger.debug({ err: error }, 'cannot notify workers; they poll');
      });
    }
    sending = false;
  }

  return (...queues) => {
    for (const queue of queues) gathered.add(queue);
    if (!sending) void send();
  };
}

/** Returns the next payload. PostgreSQL limits it to 8,000 bytes; names are ASCII. */
function takePayload(gathered: Set<string>): string {
  let text = '';
  for (const name of gathered) {
    if (text.length + name.length > 7_000) break;
    text += text === '' ? name : `,${name}`;
    gathered.delete(name);
  }
  return text;
}
