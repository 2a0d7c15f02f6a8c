import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import {
  busiestAddresses,
  busiestRoutes,
  requestsOverTime,
} from '#analytics/clickhouse/read-models/request-statistics.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { atShape, timeText, withTime } from '../time-range.ts';
import { count, dashboardRoute, millis } from './dashboard.ts';

const MAX_ROUTES = 50;
const MAX_ADDRESSES = 100;

/**
 * GET /api/dashboard/requests and …/ips: figures from the log of requests.
 * Long: each route includes its description.
 */
export function requestDashboards(app: ApiServer, { clickhouse }: { readonly clickhouse: ClickHouse }): void {
  dashboardRoute(
    app,
    'requests',
    {
      operationId: 'getRequestDashboard',
      summary: 'Requests over time',
      description: 'All requests to the API: counts, statuses, durations and routes.',
      shape: {
        total: count('total number of requests'),
        errors: count('requests with status 400 or above'),
        series: z.array(
          z.object({
            at: atShape,
            requests: count('requests with a response'),
            clientErrors: count('Number of responses with status 400 to 499'),
            serverErrors: count('Number of responses with status 500 or above'),
            p50Ms: millis('half took no longer').nullable(),
            p95Ms: millis('95 % took no longer').nullable(),
            p99Ms: millis('99 % took no longer').nullable(),
          }),
        ),
        routes: z
          .array(
            z.object({
              method: z.string().describe('HTTP method').meta({ example: 'GET' }),
              route: z.string().describe('route pattern; `none`: no route matched').meta({ example: '/api/events' }),
              requests: count('requests with a response'),
              errors: count('Number of responses with status 400 or above'),
              p95Ms: millis('95 % took no longer'),
            }),
          )
          .describe(`the ${MAX_ROUTES} most requested routes`),
      },
    },
    async (buckets) => {
      const [series, routes] = await Promise.all([
        requestsOverTime(clickhouse, buckets),
        busiestRoutes(clickhouse, buckets, MAX_ROUTES),
      ]);
      return {
        total: series.reduce((sum, { requests }) => sum + requests, 0),
        errors: series.reduce((sum, { clientErrors, serverErrors }) => sum + clientErrors + serverErrors, 0),
        series: series.map(({ addresses: _, ...bucket }) => withTime(bucket)),
        routes,
      };
    },
  );

  dashboardRoute(
    app,
    'ips',
    {
      operationId: 'getAddressDashboard',
      summary: 'Addresses',
      description: 'Client addresses: their number over time, and those with the most requests.',
      shape: {
        series: z.array(
          z.object({
            at: atShape,
            addresses: count('different addresses'),
            requests: count('requests of all of them'),
          }),
        ),
        addresses: z
          .array(
            z.object({
              ip: z
                .string()
                .describe('client address, by the rules for trusted proxies')
                .meta({ example: '203.0.113.9' }),
              requests: count('requests with a response'),
              errors: count('Number of responses with status 400 or above'),
              limited: count('Number of requests that a limit rejected'),
              users: count('different accounts that asked from there'),
              firstAt: z.iso
                .datetime()
                .describe('first request in the range')
                .meta({ example: '2026-02-01T13:00:00.000Z' }),
              lastAt: z.iso
                .datetime()
                .describe('last request in the range')
                .meta({ example: '2026-02-01T14:00:00.000Z' }),
            }),
          )
          .describe(`the ${MAX_ADDRESSES} addresses with the most requests`),
      },
    },
    async (buckets) => {
      const [series, addresses] = await Promise.all([
        requestsOverTime(clickhouse, buckets),
        busiestAddresses(clickhouse, buckets, MAX_ADDRESSES),
      ]);
      return {
        series: series.map(({ atMs, addresses: different, requests }) =>
          withTime({ atMs, addresses: different, requests }),
        ),
        addresses: addresses.map(({ firstMs, lastMs, ...row }) => ({
          ...row,
          firstAt: timeText(firstMs),
          lastAt: timeText(lastMs),
        })),
      };
    },
  );
}
