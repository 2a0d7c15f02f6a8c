import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection, getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { listSigns } from '#analytics/detections/risk/list-signs.ts';
import { ALERT_OF_SIGNS } from '#analytics/detections/risk/score.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { detectionIdSchema, signsSchema } from '#schemas/api/detections.ts';

/** GET /api/detections/{id}/signs: the contributions to the score of a `host-risk` alert. */
export function signRoute(app: ApiServer, clickhouse: ClickHouse): void {
  app.get(
    '/api/detections/:id/signs',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        operationId: 'listSigns',
        summary: 'List the signs of an alert of host-risk',
        description:
          'The rules and programs whose detections contribute to the score of the alert, with their points at the latest evidence of the alert, most points first. At most 256 detections. Empty for detections of other rules.',
        tags: ['detection service'],
        params: z.strictObject({ id: detectionIdSchema }),
        response: { 200: signsSchema.describe('The signs.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async ({ params: { id } }) => {
      const alert = await getDetection(clickhouse, id);
      if (alert === undefined) throw apiError('not_found', 'there is no such detection');
      if (alert.rule.id !== ALERT_OF_SIGNS) return { data: [] };
      const signs = listSigns(alert, await getDetections(clickhouse, alert.values));
      return {
        data: signs.map(({ rule, procname, points, detections }) => ({
          rule,
          procname,
          points,
          detections: detections.map(({ id, severity, status, verdict, crashes, firstSeen, lastSeen }) => ({
            id,
            severity,
            status,
            verdict,
            crashes,
            firstSeen,
            lastSeen,
          })),
        })),
      };
    },
  );
}
