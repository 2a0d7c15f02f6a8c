import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import { type ApiRequestRow, apiRequestsTable } from '#analytics/clickhouse/tables/api-requests.ts';
import type { RequestRecord } from './request-record.ts';

export interface ApiLog {
  /** Takes a record over. Returns at once and never throws. */
  record(record: RequestRecord): void;
  /** Writes what is left, for as long as `closeMs` allows. Idempotent. */
  close(): Promise<void>;
}

export interface ApiLogDeps {
  readonly clickhouse: ClickHouse;
  readonly registry: Registry;
  readonly logger: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

export interface ApiLogConfig {
  /** Names this process in the rows. */
  readonly process: string;
  /** Records that may wait; more are dropped and counted. Default 20,000: about 15 MiB. */
  readonly maxWaiting?: number;
  /** Records at which a batch goes out at once. Default 1,000. */
  readonly batchRecords?: number;
  /** How long a record waits for company, ms. Default 1,000. */
  readonly lingerMs?: number;
  /** How long closing tries, ms. Default 5,000. */
  readonly closeMs?: number;
}

const MOST_IN_ONE_INSERT = 10_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Keeps a record of every request in ClickHouse, in batches, one at a time. While ClickHouse is away records wait, up to the bound; requests
 * never do. A batch that is tried again keeps its token, so it is there once.
 */
export function createApiLog({ clickhouse, registry, logger }: ApiLogDeps, config: ApiLogConfig): ApiLog {
  const { maxWaiting = 20_000, batchRecords = 1_000, lingerMs = 1_000, closeMs = 5_000 } = config;
  const written = new Counter({
    name: 'trapline_api_log_records_total',
    help: 'Records of requests by what became of them: written, or dropped because too many waited or ClickHouse refused them.',
    labelNames: ['result'],
    registers: [registry],
  });
  const giveUp = new AbortController();
  let waiting: RequestRecord[] = [];
  /** Records of the batch on its way: they count against the bound too. */
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  return {
    record(record) {
      if (closing !== undefined || waiting.length + underWay >= maxWaiting) {
        written.inc({ result: 'dropped' });
        return;
      }
      waiting.push(record);
      if (waiting.length >= batchRecords) flush();
      else timer ??= setTimeout(flush, lingerMs);
    },
    close() {
      closing ??= (async () => {
        const bound = setTimeout(() => giveUp.abort(), closeMs);
        flush();
        await writing;
        clearTimeout(bound);
      })();
      return closing;
    },
  };

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
  }

  async function writeAll(): Promise<void> {
    // What comes in meanwhile and fills a batch goes out with it; the rest waits for its time.
    do {
      const batch = waiting.slice(0, MOST_IN_ONE_INSERT);
      waiting = waiting.slice(MOST_IN_ONE_INSERT);
      underWay = batch.length;
      written.inc({ result: (await write(batch)) ? 'written' : 'dropped' }, batch.length);
      underWay = 0;
    } while (waiting.length >= batchRecords || (closing !== undefined && waiting.length > 0));
    if (waiting.length > 0) timer ??= setTimeout(flush, lingerMs);
  }

  async function write(batch: readonly RequestRecord[]): Promise<boolean> {
    const rows = batch.map((record) => rowOf(record, config.process));
    const token = randomUUID();
    for (let attempt = 1; ; attempt++) {
      try {
        await insertRows(clickhouse, apiRequestsTable, rows, { token, signal: giveUp.signal });
        return true;
      } catch (error) {
        if (giveUp.signal.aborted || !isTemporary(error)) {
          logger.error({ err: error, records: batch.length }, 'records of requests are lost');
          return false;
        }
        if (attempt === 1) logger.warn({ err: error }, 'the log of requests waits for ClickHouse');
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
        await delay(pause, undefined, { signal: giveUp.signal }).catch(() => {});
      }
    }
  }
}

function rowOf(record: RequestRecord, process: string): ApiRequestRow {
  const { durationMs, userId, keyId, ...rest } = record;
  return {
    ...rest,
    durationUs: Math.max(0, Math.round(durationMs * 1_000)),
    userId: userId ?? '',
    keyId: keyId ?? '',
    process,
  };
}
