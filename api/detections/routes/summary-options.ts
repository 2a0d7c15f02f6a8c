import { z } from 'zod';
import { errorResponses } from '#api/http/error-responses.ts';
import { bucketsShape, timeRangeQuery } from '#api/telemetry/dashboard/time-range.ts';

/**
 * What the routes that count records over time have in common: who may ask, the range, the filters of the list (without its own `from` and
 * `to`), and counts by bucket. `shape`: what is counted besides.
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
      description: `${description} The range is widened to whole buckets; the filters are those of the list.`,
      tags: ['detection service'],
      querystring: z.strictObject({ ...timeRangeQuery.shape, ...filters }),
      response: {
        200: z.object({ ...bucketsShape, ...shape }).describe('The counts.'),
        ...errorResponses(400, 401, 403, 429, 503),
      },
    },
  } as const;
}
