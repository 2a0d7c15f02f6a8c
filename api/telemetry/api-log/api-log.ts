import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { insertBlock } from '#analytics/clickhouse/insert-rows.ts';
import { createBlockWriter } from '#analytics/clickhouse/native/block-writer.ts';
import { type ApiRequestRow, apiRequestsTable } from '#analytics/clickhouse/tables/api-requests.ts';
import type { RequestRecord } from '#api/http/request-record.ts';

export interface ApiLog {
  /** Accepts a record. Never blocks and never throws. */
  record(record: RequestRecord): void;
  /** Writes the remaining records, within `closeMs`. Idempotent. */
  close(): Promise<void>;
}

export interface ApiLogDeps {
  readonly clickhouse: ClickHouse;
  readonly registry: Registry;
  readonly logger: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

export interface ApiLogConfig {
  /** Name of this process in the rows. */
  readonly process: string;
  /** Maximum number of queued records; further ones are dropped and counted. Default 20,000: about 5 MiB. */
  readonly maxWaiting?: number;
  /**
   * Number of records at which a batch is flushed immediately. Default 5,000: an insert costs ClickHouse about the same
   * for any size.
   */
  readonly batchRecords?: number;
  /**
   * Linger time of a record before its batch is flushed, ms. Default 3,000. An insert takes ClickHouse about 17 ms of
   * CPU time, for 50 rows as for 500, and delays concurrent requests if it shares their cores. With one insert per
   * second, every sixtieth request was delayed.
   */
  readonly lingerMs?: number;
  /** Time limit of closing, ms. Default 5,000. */
  readonly closeMs?: number;
}

const MAX_IN_ONE_INSERT = 10_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;

/** A serialised batch. */
interface Batch {
  readonly block: Buffer;
  readonly records: number;
}

/**
 * Stores a record of every request in ClickHouse, in batches, one insert at a time. Each record is serialised when it
 * arrives: queued data is then plain bytes, which the garbage collector skips, and building a batch does not delay
 * requests. While ClickHouse is unavailable, records are queued up to the limit; requests never wait. A retried batch
 * has the same token, so it is stored once.
 */
export function createApiLog({ clickhouse, registry, logger }: ApiLogDeps, config: ApiLogConfig): ApiLog {
  const { maxWaiting = 20_000, batchRecords = 5_000, lingerMs = 3_000, closeMs = 5_000 } = config;
  const written = new Counter({
    name: 'trapline_api_log_records_total',
    help: 'Records of the API log by outcome: written, or dropped because the queue was full or ClickHouse rejected them.',
    labelNames: ['result'],
    registers: [registry],
  });
  // A counter without a first sample cannot increase, and the first lost record must be visible too.
  for (const result of ['written', 'dropped']) written.inc({ result }, 0);
  const giveUp = new AbortController();
  const filling = createBlockWriter(apiRequestsTable.columns);
  /** Full batches. They are flushed before the one that is filling. */
  const full: Batch[] = [];
  /** Number of records in `full` and in the batch in flight. They also count toward the limit. */
  let packed = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  return {
    record(record) {
      if (closing !== undefined || packed + filling.rows >= maxWaiting) {
        written.inc({ result: 'dropped' });
        return;
      }
      filling.add(rowOf(record, config.process));
      if (filling.rows >= MAX_IN_ONE_INSERT) full.push(pack());
      if (full.length > 0 || filling.rows >= batchRecords) flush();
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
    // Batches that fill up during the insert are flushed too. The remaining records wait for the linger time.
    do {
      const batch = full.shift() ?? pack();
      if (batch.records === 0) continue;
      written.inc({ result: (await write(batch)) ? 'written' : 'dropped' }, batch.records);
      packed -= batch.records;
    } while (full.length > 0 || filling.rows >= batchRecords || (closing !== undefined && filling.rows > 0));
    if (filling.rows > 0) timer ??= setTimeout(flush, lingerMs);
  }

  function pack(): Batch {
    const batch = { block: Buffer.concat([...filling.pieces()]), records: filling.rows };
    packed += batch.records;
    filling.clear();
    return batch;
  }

  async function write({ block, records }: Batch): Promise<boolean> {
    const token = randomUUID();
    for (let attempt = 1; ; attempt++) {
      try {
        await insertBlock(clickhouse, apiRequestsTable, [block], { token, signal: giveUp.signal });
        return true;
      } catch (error) {
        if (giveUp.signal.aborted || !isTemporary(error)) {
          logger.error({ err: error, records }, 'request records dropped');
          return false;
        }
        if (attempt === 1) logger.warn({ err: error }, 'cannot write request records to ClickHouse');
        const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
        await delay(pause, undefined, { signal: giveUp.signal }).catch(() => {});
      }
    }
  }
}

function rowOf(record: RequestRecord, process: string): ApiRequestRow {
  const { timeMs, requestId, method, route, path, status, ip, userAgent, actor, bytes, scraper, cache } = record;
  return {
    timeMs,
    requestId,
    method,
    route,
    path,
    status,
    durationUs: Math.max(0, Math.round(record.durationMs * 1_000)),
    ip,
    userAgent,
    actor,
    userId: record.userId ?? '',
    keyId: record.keyId ?? '',
    bytes,
    scraper,
    cache,
    process,
  };
}
