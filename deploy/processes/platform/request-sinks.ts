import { hostname } from 'node:os';
import type { RequestRecord } from '#api/http/request-record.ts';
import { createApiLog } from '#api/telemetry/api-log/api-log.ts';
import { requestMessage } from '#api/telemetry/live-feed/messages.ts';
import type { Foundation } from './foundation.ts';

/** Starts the receivers of request records: the log in ClickHouse, the SIEM, the live feed. */
export async function startRequestSinks(foundation: Foundation): Promise<readonly ((record: RequestRecord) => void)[]> {
  const { lifecycle, clickhouse, registry, log, siem, feed } = foundation;
  const apiLog = await lifecycle.start('API log', () => {
    const value = createApiLog({ clickhouse, registry, logger: log }, { process: `${hostname()}:${process.pid}` });
    return { value, stop: () => value.close() };
  });
  const notifyWatchers = (record: RequestRecord) => {
    if (feed.isWatched()) feed.publish(requestMessage(record));
  };
  return [apiLog.record, siem.request, notifyWatchers];
}
