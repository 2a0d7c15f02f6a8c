import type { Client } from 'pg';
import { connectToPrimary } from '#api/postgres/primary.ts';
import type { WorkerLogger } from './port.ts';
import { WAKE_UP_CHANNEL } from './wake-up.ts';

export interface WakeUpListener {
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Listens for notifications on a dedicated connection. `url` must be a direct connection to PostgreSQL, because a
 * pooler in transaction mode loses LISTEN. After each reconnect, it calls `onWake` with undefined, because
 * notifications may have been missed. Workers that cannot listen poll.
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
    let connection: Client | undefined;
    try {
      const opened = await connectToPrimary(url, {
        application_name: 'trapline wake-ups',
        connectionTimeoutMillis: 5_000,
        keepAlive: true,
      });
      connection = opened;
      if (closed) return await opened.end();
      client = opened;
      opened.on('end', () => again(opened));
      opened.on('notification', ({ payload = '' }) => onWake(payload.split(',')));
      await opened.query(`LISTEN ${WAKE_UP_CHANNEL}`);
      pauseMs = FIRST_PAUSE_MS;
      onWake(undefined);
    } catch (error) {
      logger.debug({ err: error }, 'cannot listen for notifications; workers poll');
      await connection?.end().catch(() => {});
      again(connection);
    }
  }

  function again(ended: Client | undefined): void {
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
