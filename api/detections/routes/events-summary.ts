import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { summariseEvents } from '#analytics/clickhouse/read-models/event-summary.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { bucketsJson, bucketsOf, withTime } from '#api/telemetry/dashboard/time-range.ts';
import { eventSummaryShape } from '#schemas/api/events.ts';
import { summaryOptions } from './summary-options.ts';

const { from: _, to: __, ...filters } = FILTER_SHAPES.events;

/** GET /api/events/summary: counts over time, by type, host, program and file. */
export function eventSummaryRoute(app: ApiServer, clickhouse: ClickHouse): void {
  app.get(
    '/api/events/summary',
    summaryOptions({
      operationId: 'summarizeEvents',
      summary: 'Count events',
      description: 'Counts of events by their own time: over time, and by type, host, program and file.',
      filters,
      shape: eventSummaryShape,
    }),
    async (request) => {
      const { from, to, ...chosen } = request.query;
      const buckets = bucketsOf({ from, to }, Date.now());
      const { series, types, hosts, programs, files, events, crashes } = await summariseEvents(
        clickhouse,
        buckets,
        withoutUndefined(chosen),
      ).catch(refuseQuery);
      return {
        ...bucketsJson(buckets),
        events,
        crashes,
        series: series.map(withTime),
        // Null only for nullable columns; see the schema.
        types: types.map(({ type, ...counts }) => ({ type: type ?? '', ...counts })),
        hosts: [...hosts],
        programs: [...programs],
        files: [...files],
      };
    },
  );
}
