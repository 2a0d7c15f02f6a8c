import { z } from 'zod';
import { errorResponses } from '#api/http/error-responses.ts';
import { bucketsShape, timeRangeQuery } from '#api/telemetry/dashboard/time-range.ts';

/**
 * Returns the common options of routes that count records over time: access, time range, the filters of the list
 * (without its `from` and `to`), and counts by bucket. `shape` describes the additional counts.
 */
export function summaryOptions<F extends z.ZodRawShape, S extends z.ZodRawShape>({
  operationId,
  summary,
  description,
  filters,
  shape,
}: {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly filters: F;
  readonly shape: S;
}) {
  return {
    config: { access: { by: 'key-or-session', scope: 'detections:read' } },
    schema: {
      operationId,
      summary,
      description: `${description} The range is extended to whole buckets; the filters are those of the list.`,
      tags: ['detection service'],
      querystring: z.strictObject({ ...timeRangeQuery.shape, ...filters }),
      response: {
        200: z.object({ ...bucketsShape, ...shape }).describe('The counts.'),
        ...errorResponses(400, 401, 403, 429, 503),
      },
    },
  } as const;
}
