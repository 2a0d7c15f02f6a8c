import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { json } from '#analytics/formats/json.ts';
import { eventRecord } from '#api/detections/records/event-record.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { pageLimit } from './detection-list.ts';
import { exactJson } from './exact-json.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';
import { queryFailure } from './query-failure.ts';

export function eventList({ clickhouse }: { readonly clickhouse: ClickHouse }): BuiltInFunction {
  return defineFunction({
    name: 'trapline.event.list',
    scope: 'detections:read',
    input: z.strictObject({ ...FILTER_SHAPES.events, limit: pageLimit }),
    async run({ limit, ...given }, { step }) {
      const filters = withoutUndefined(given);
      const { items, nextCursor } = await listEvents(clickhouse, filters, { limit }).catch((error: unknown) =>
        queryFailure(error, step),
      );
      const events = items.map((item) => exactJson(parseExact(String(json.event?.(eventRecord(item))))));
      return { events, more: nextCursor !== undefined };
    },
  });
}
