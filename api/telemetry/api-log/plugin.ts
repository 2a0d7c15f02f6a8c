import fp from 'fastify-plugin';
import { createRecordOf } from '#api/http/bodies/record-of.ts';
import type {} from '#api/http/plugins/request-end.ts';
import type { RequestRecord } from '#api/http/request-record.ts';

export interface ApiLogOptions {
  /**
   * Each sink receives the record of every request: the log in ClickHouse, the SIEM, the live feed. Sinks never block
   * and never throw.
   */
  readonly sinks: readonly ((record: RequestRecord) => void)[];
}

/** Monitoring calls these routes every few seconds. They show nothing about the use of the API. */
const UNLOGGED = new Set(['/healthz', '/readyz', '/metrics']);

/** Creates one record for every request of the API, including refused ones. */
export const apiLog = fp<ApiLogOptions>(
  async (app, { sinks }) => {
    const recordOf = createRecordOf();
    app.decorateRequest('scraped', undefined);
    app.onRequestEnd((request, outcome) => {
      const { url = '', config } = request.routeOptions;
      if (UNLOGGED.has(url) || (config?.logged === 'refusals' && outcome.status < 400)) return;
      const record = recordOf(request, outcome);
      for (const sink of sinks) sink(record);
    });
  },
  { name: 'api-log', dependencies: ['request-end'] },
);
