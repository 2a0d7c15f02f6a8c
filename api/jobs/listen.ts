import { Client } from 'pg';
import type { JobLogger } from './port.ts';
import { WAKE_UP_CHANNEL } from './wake-up.ts';

export interface WakeUpListener {
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Listens for wake-ups on a connection of its own, which has to lead to PostgreSQL itself: a pooler that hands connections out by transaction forgets
 * who listens. It connects again by itself, and calls `onWake` each time, because it can't know what it missed. Without it workers still look
 * once a second.
 */
export function listenForWakeUps(
  url: string,
  onWake: (queues: readonly string[] | undefined) => void,
  logger: JobLogger,
): WakeUpListener {
  let closed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  async function connect(): Promise<void> {
    const connection = new Client({
      connectionString: url,
      application_name: 'trapline wake-ups',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = connection;
    connection.on('error', () => {}); // `end` follows
    connection.on('end', () => again(connection));
    connection.on('notification', ({ payload = '' }) => onWake(payload.split(',')));
    try {
      await connection.connect();
      await connection.query(`LISTEN ${WAKE_UP_CHANNEL}`);
      pauseMs = FIRST_PAUSE_MS;
      onWake(undefined);
    } catch (error) {
      logger.debug({ err: error }, 'wake-ups can not be listened for; jobs are looked for once a second');
      await connection.end().catch(() => {});
      again(connection);
    }
  }

  function again(ended: Client): void {
    if (closed || client !== ended) return;
    client = undefined;
    timer = setTimeout(() => void connect(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
