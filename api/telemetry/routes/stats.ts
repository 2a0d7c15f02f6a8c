import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { requestsOfUser } from '#analytics/clickhouse/read-models/request-statistics.ts';
import { sessionOf } from '#api/http/access/session-of.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { timeText } from '../dashboard/time-range.ts';

const count = (what: string) => z.int().min(0).describe(what).meta({ example: 12 });

const statistics = z.object({
  hours: z
    .array(
      z.object({
        hour: z.iso.datetime().describe('start of the hour, UTC').meta({ example: '2026-02-01T13:00:00.000Z' }),
        requests: count('Number of requests with a response'),
        errors: count('Number of these with status 400 or above'),
      }),
    )
    .length(24)
    .describe('oldest first; the last one is the current hour'),
  total: count('requests of all these hours'),
  errors: count('errors of all these hours'),
});

/** GET /api/stats/requests: the caller's requests in the last 24 hours. */
export function statsRoutes(app: ApiServer, { clickhouse }: { readonly clickhouse: ClickHouse }): void {
  app.get(
    '/api/stats/requests',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'getRequestStatistics',
        summary: 'Requests of the caller',
        description:
          'Requests of the caller per hour, over all sessions and keys of the account. A request is counted some seconds after its response.',
        tags: ['account'],
        response: { 200: statistics.describe('24 hours and their totals.'), ...errorResponses(401, 429, 503) },
      },
    },
    async ({ caller }) => {
      const hours = await requestsOfUser(clickhouse, sessionOf(caller).userId, Date.now());
      return {
        hours: hours.map(({ atMs, ...hour }) => ({ hour: timeText(atMs), ...hour })),
        total: hours.reduce((sum, { requests }) => sum + requests, 0),
        errors: hours.reduce((sum, { errors }) => sum + errors, 0),
      };
    },
  );
}
