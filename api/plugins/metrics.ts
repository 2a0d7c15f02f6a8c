import fp from 'fastify-plugin';
import { Gauge, Histogram, type Registry } from 'prom-client';

export interface MetricsOptions {
  readonly registry: Registry;
}

/** Measures every request by its route pattern, never its address: ids in the labels would grow without end. */
export const metrics = fp<MetricsOptions>(
  async (app, { registry }) => {
    const duration = new Histogram({
      name: 'trapline_http_request_duration_seconds',
      help: 'From the first byte of a request to the last of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
    const inFlight = new Gauge({
      name: 'trapline_http_requests_in_flight',
      help: 'Requests that are being answered',
      registers: [registry],
    });
    app.addHook('onRequest', async (request, reply) => {
      inFlight.inc();
      // 'close' comes for every answer, also when the client went away in the middle; onResponse does not.
      reply.raw.once('close', () => {
        inFlight.dec();
        const route = request.routeOptions.url ?? 'none';
        duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
      });
    });
    app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
      reply.header('content-type', registry.contentType);
      return registry.metrics();
    });
  },
  { name: 'metrics' },
);
