import { z } from 'zod';
import type { Buckets } from '#analytics/clickhouse/read-models/buckets.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { bucketsJson, bucketsOf, bucketsShape, timeRangeQuery } from '../time-range.ts';

export const count = (what: string) => z.int().min(0).describe(what).meta({ example: 12 });
export const millis = (what: string) => z.number().min(0).describe(what).meta({ example: 3.25 });

/**
 * Adds GET /api/dashboard/<name>. It returns the requested range and the result of `read` for its buckets.
 * Administrators only.
 */
export function dashboardRoute<Shape extends z.ZodRawShape>(
  app: ApiServer,
  name: string,
  {
    operationId,
    summary,
    description,
    shape,
  }: { readonly operationId: string; readonly summary: string; readonly description: string; readonly shape: Shape },
  read: (buckets: Buckets) => Promise<z.output<z.ZodObject<Shape>>>,
): void {
  const answer: z.ZodType = z.object({ ...bucketsShape, ...shape }).describe('Series that contain every bucket.');
  app.get(
    `/api/dashboard/${name}`,
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId,
        summary,
        description,
        tags: ['dashboard'],
        querystring: timeRangeQuery,
        response: { 200: answer, ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async ({ query }) => {
      const buckets = bucketsOf(query, Date.now());
      return { ...bucketsJson(buckets), ...(await read(buckets)) };
    },
  );
}
