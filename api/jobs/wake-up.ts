import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import type { JobLogger } from './port.ts';

/** The channel of NOTIFY; what is said on it is the names of queues, joined by commas. */
export const WAKE_UP_CHANNEL = 'trapline_jobs';

/** Tells workers of all processes that these queues have work. Never waits, never fails: workers look by themselves too. */
export type WakeUp = (...queues: readonly string[]) => void;

/**
 * Sends outside of any transaction: a NOTIFY inside makes every commit wait for a lock that all of the server share. While one is under way
 * the next are gathered into one.
 */
export function createWakeUp({
  database,
  logger,
}: {
  readonly database: Database;
  readonly logger: JobLogger;
}): WakeUp {
  const gathered = new Set<string>();
  let sending = false;

  async function send(): Promise<void> {
    sending = true;
    while (gathered.size > 0) {
      const queues = takeAFew(gathered);
      await sql`SELECT pg_notify(${WAKE_UP_CHANNEL}, ${queues})`.execute(database).catch((error: unknown) => {
        logger.debug({ err: error }, 'workers could not be woken');
      });
    }
    sending = false;
  }

  return (...queues) => {
    for (const queue of queues) gathered.add(queue);
    if (!sending) void send();
  };
}

/** PostgreSQL takes 8,000 bytes at a time; names are ASCII. */
function takeAFew(gathered: Set<string>): string {
  let text = '';
  for (const name of gathered) {
    if (text.length + name.length > 7_000) break;
    text += text === '' ? name : `,${name}`;
    gathered.delete(name);
  }
  return text;
}
