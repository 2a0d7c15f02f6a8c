import type { FastifyInstance } from 'fastify';
import { catalogue } from '#analytics/detections/catalogue.ts';

/** GET /api/rules: the catalogue with severity, ATT&CK techniques, thresholds and runbook. */
export function rulesRoute(app: FastifyInstance): void {
  app.get('/api/rules', async () => ({ data: catalogue() }));
}
