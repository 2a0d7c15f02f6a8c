import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import { errorResponses } from '../error-responses.ts';
import { metricsText } from '../metrics-text.ts';

/** GET /api/prometheus: the metrics of this process. */
export function prometheusRoute(app: ApiServer, registry: Registry, { exemplars }: { exemplars: boolean }): void {
  app.get(
    '/api/prometheus',
    {
      config: { access: { by: 'admin-key' } },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics',
        description: 'Metrics of this process in the Prometheus text format. Rejected if no ADMIN_KEY is configured.',
        tags: ['operation'],
        response: {
          200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: z.string() } } },
          ...errorResponses(401, 429),
        },
      },
    },
    async (request, reply) => {
      const { contentType, text } = await metricsText(registry, exemplars ? request.headers.accept : undefined);
      reply.header('content-type', contentType);
      return text;
    },
  );
}
