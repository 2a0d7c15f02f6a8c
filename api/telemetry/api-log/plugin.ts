import fp from 'fastify-plugin';
import type {} from '#api/http/plugins/request-end.ts';
import { createRecordOf } from '#api/http/record-of.ts';
import type { RequestRecord } from '#api/http/request-record.ts';

export interface ApiLogOptions {
  /** Each gets the record of every request: the log in ClickHouse, the SIEM, the live feed. They return at once and never throw. */
  readonly sinks: readonly ((record: RequestRecord) => void)[];
}

/** Asked every few seconds by whatever watches the process; they say nothing about who uses the API. */
const UNLOGGED = new Set(['/healthz', '/readyz', '/metrics']);

/** One record for every request of the API, also for those that are refused. */
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
