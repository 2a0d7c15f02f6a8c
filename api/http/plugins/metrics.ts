import fp from 'fastify-plugin';
import { Gauge, type Registry } from 'prom-client';
import { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { ApiServer } from '../api-server.ts';
import { errorResponses } from '../error-responses.ts';
import { exemplarLabels, histogramWithExemplars } from '../exemplars.ts';
import { metricsText } from '../metrics-text.ts';
import { routeName } from '../route-name.ts';
import type {} from './request-end.ts';

export interface MetricsOptions {
  readonly registry: Registry;
  /** Access to /metrics. */
  readonly access: Access;
  /** True if clients can request OpenMetrics, with exemplars that link to traces. */
  readonly exemplars: boolean;
}

const METRICS = {
  operationId: 'getProcessMetrics',
  summary: 'Metrics of a process',
  description: 'Metrics of this process in the text format of Prometheus.',
  tags: ['operation'],
  response: {
    200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: z.string() } } },
    ...errorResponses(401, 403, 429),
  },
};

/** Measures every request by its route pattern, never its path: ids in labels would create an unbounded number of series. */
export const metrics = fp<MetricsOptions>(
  async (instance, { registry, access, exemplars }) => {
    const app: ApiServer = instance;
    const duration = histogramWithExemplars(registry, {
      name: 'trapline_http_request_duration_seconds',
      help: 'Time from the first byte of the request to the last byte of the response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    new Gauge({
      name: 'trapline_http_requests_in_flight',
      help: 'Requests in flight',
      registers: [registry],
      collect() {
        this.set(app.requestsInFlight());
      },
    });
    app.onRequestEnd(({ method, routeOptions, trace }, { status, durationMs }) => {
      const labels = { method, route: routeName(routeOptions.url), status: String(status) };
      duration.observe({ labels, value: durationMs / 1000, ...exemplarLabels(trace) });
    });
    const config = { access, limiting: 'none' } as const;
    app.get('/metrics', { logLevel: 'warn', config, schema: METRICS }, async (request, reply) => {
      const { contentType, text } = await metricsText(registry, exemplars ? request.headers.accept : undefined);
      reply.header('content-type', contentType);
      return text;
    });
  },
  { name: 'metrics', dependencies: ['request-end'] },
);
