import { ERROR_BUDGET, errorRatio } from '../alerts/error-budget.ts';
import { board } from '../board.ts';
import { figure, lines, table } from '../panels.ts';
import { of, overTime, promql, quantile, rate, rows } from '../queries.ts';
import { traceLink } from '../traces.ts';

const DURATION = 'trapline_http_request_duration_seconds';

/** Speed and errors of the API, its callers, and requests rejected by limits. */
export const apiAndLimits = board({
  uid: 'trapline-api',
  title: 'API and limits',
  description: 'Requests, latencies, failures and the error budget; callers, limits, abuse signals.',
  from: 'now-6h',
  rows: [
    {
      title: 'Now',
      panels: [
        figure({
          title: 'Requests',
          unit: 'reqps',
          queries: [promql(`sum(${rate(`${DURATION}_count`)})`, 'requests')],
        }),
        figure({
          title: 'Failed',
          description: 'Server errors of Trapline: 500 and 503. For several installations, the highest share.',
          unit: 'percentunit',
          limits: { warning: ERROR_BUDGET, bad: ERROR_BUDGET * 14.4 },
          queries: [promql(`max(${of(errorRatio('5m'))})`, 'failed')],
        }),
        figure({
          title: 'Error budget spent in three days',
          description: `Share of the 30-day budget (${ERROR_BUDGET * 100} % of requests). Three days may use a tenth.`,
          unit: 'percentunit',
          limits: { warning: 0.1, bad: 0.5 },
          queries: [promql(`max(${of(errorRatio('3d'))}) / ${ERROR_BUDGET} * 3 / 30`, 'spent')],
        }),
        figure({
          title: 'p99',
          unit: 's',
          limits: { warning: 0.5, bad: 2 },
          queries: [quantile(0.99, DURATION)],
        }),
        figure({
          title: 'Requests in flight',
          queries: [promql(`sum(${of('trapline_http_requests_in_flight')})`, 'in flight')],
        }),
        figure({
          title: 'Live feed connections',
          queries: [promql(`sum(${of('trapline_live_feed_sockets')})`, 'sockets')],
        }),
      ],
    },
    {
      title: 'Requests',
      panels: [
        lines({
          title: 'Requests by status',
          unit: 'reqps',
          stacked: true,
          queries: [promql(`sum by (status) (${rate(`${DURATION}_count`)})`, '{{status}}')],
        }),
        lines({
          title: 'Latency',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((share) => quantile(share, DURATION)),
        }),
        lines({
          title: 'Slowest routes, p95',
          unit: 's',
          queries: [
            promql(
              `topk(10, histogram_quantile(0.95, sum by (le, method, route) (${rate(`${DURATION}_bucket`)})))`,
              '{{method}} {{route}}',
            ),
          ],
        }),
        lines({
          title: 'Share of failed requests, by time range',
          description: 'An alert fires if both of its time ranges are above their limit.',
          unit: 'percentunit',
          queries: (['5m', '1h', '6h', '3d'] as const).map((span) => promql(`max(${of(errorRatio(span))})`, span)),
        }),
        table({
          title: 'Latest server errors',
          description: 'The log of the process contains the request id.',
          links: [traceLink('trapline.request.id', 'request_id')],
          queries: [
            rows(
              `SELECT time, status, method, route, path, duration_us / 1000 AS duration_ms, actor, ip, request_id, process
FROM api_requests WHERE $__timeFilter(time) AND status >= 500 ORDER BY time DESC LIMIT 100`,
            ),
          ],
        }),
        table({
          title: 'Routes',
          queries: [
            rows(
              `SELECT route, method, count() AS requests, countIf(status >= 500) AS server_errors, countIf(status = 429) AS rate_limited,
  round(quantile(0.5)(duration_us) / 1000, 1) AS p50_ms, round(quantile(0.99)(duration_us) / 1000, 1) AS p99_ms, sum(bytes) AS bytes_sent
FROM api_requests WHERE $__timeFilter(time) GROUP BY route, method ORDER BY requests DESC, route, method LIMIT 200`,
            ),
          ],
        }),
      ],
    },
    {
      title: 'Callers and limits',
      panels: [
        lines({
          title: 'Rate-limited requests (429), by route',
          stacked: true,
          queries: [
            overTime(
              `SELECT $__timeInterval(time) AS at, route, count() AS rate_limited
FROM api_requests WHERE $__timeFilter(time) AND status = 429 GROUP BY at, route ORDER BY at`,
            ),
          ],
        }),
        lines({
          title: 'Abuse signals and incidents',
          unit: 'ops',
          queries: [
            promql(`sum by (kind) (${rate('trapline_security_signs_total')})`, '{{kind}}'),
            promql(`sum by (kind) (${rate('trapline_security_events_total')})`, 'incident: {{kind}}'),
          ],
        }),
        table({
          title: 'Callers',
          width: 12,
          queries: [
            rows(
              `SELECT actor, uniqExact(ip) AS addresses, count() AS requests, countIf(status = 429) AS rate_limited,
  countIf(status IN (401, 403)) AS denied, max(time) AS last
FROM api_requests WHERE $__timeFilter(time) GROUP BY actor ORDER BY requests DESC, actor LIMIT 100`,
            ),
          ],
        }),
        table({
          title: 'Addresses with rejected requests',
          width: 12,
          queries: [
            rows(
              `SELECT ip, countIf(status = 429) AS rate_limited, countIf(status IN (401, 403)) AS denied, count() AS requests, max(time) AS last
FROM api_requests WHERE $__timeFilter(time) GROUP BY ip HAVING rate_limited + denied > 0
ORDER BY rate_limited + denied DESC, ip LIMIT 100`,
            ),
          ],
        }),
      ],
    },
    {
      title: 'Scrapers, live feed, log',
      panels: [
        lines({
          title: 'Responses of scrapers, by source',
          unit: 'reqps',
          stacked: true,
          queries: [
            promql(`sum by (scraper, result) (${rate('trapline_cache_requests_total')})`, '{{scraper}} {{result}}'),
          ],
        }),
        lines({
          title: 'Records of requests',
          unit: 'ops',
          queries: [
            promql(`sum by (result) (${rate('trapline_api_log_records_total')})`, '{{result}}'),
            promql(`sum(${rate('trapline_live_feed_dropped_total')})`, 'dropped by the live feed'),
          ],
        }),
      ],
    },
  ],
});
