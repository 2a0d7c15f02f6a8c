import { Client } from 'pg';
import type { WorkerLogger } from './port.ts';
import { WAKE_UP_CHANNEL } from './wake-up.ts';

export interface WakeUpListener {
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Listens for notifications on its own connection. `url` must lead to PostgreSQL itself: a pooler in transaction mode loses LISTEN. After each reconnect
 * it calls `onWake` with undefined, because notifications may have been missed. Workers that cannot listen poll.
 */
export function listenForWakeUps(
  url: string,
  onWake: (queues: readonly string[] | undefined) => void,
  logger: WorkerLogger,
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
      logger.debug({ err: error }, 'cannot listen for notifications; workers poll');
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
