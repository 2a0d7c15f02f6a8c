import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { exactJson } from './exact-json.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';
import { queryFailure } from './query-failure.ts';

/** Limited because the result is the payload of a step. */
export const pageLimit = z.int().min(1).max(1_000).default(100);

export function detectionList({ clickhouse }: { readonly clickhouse: ClickHouse }): BuiltInFunction {
  return defineFunction({
    name: 'trapline.detection.list',
    scope: 'detections:read',
    input: z.strictObject({ ...FILTER_SHAPES.detections, limit: pageLimit }),
    async run({ limit, ...given }, { step }) {
      const filters = withoutUndefined(given);
      const { items, nextCursor } = await listDetections(clickhouse, filters, { limit }).catch((error: unknown) =>
        queryFailure(error, step),
      );
      return { detections: exactJson(items), more: nextCursor !== undefined };
    },
  });
}
