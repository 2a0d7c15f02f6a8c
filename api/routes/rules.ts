import type { FastifyInstance } from 'fastify';
import { catalogue } from '#analytics/detections/catalogue.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';

/** GET /api/rules: the catalogue with severity, ATT&CK techniques, the thresholds that hold here, and runbook. */
export function rulesRoute(app: FastifyInstance, settings: DetectionSettings): void {
  app.get('/api/rules', async () => ({ data: catalogue(settings) }));
}
