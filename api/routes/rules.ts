import { z } from 'zod';
import { catalogue } from '#analytics/detections/catalogue.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { attackSchema, RULE_IDS, SEVERITIES } from '#schemas/detection.ts';
import type { ApiServer } from '../http/api-server.ts';
import { errorResponses } from '../http/error-responses.ts';

const ruleSchema = z.looseObject({
  id: z.enum(RULE_IDS),
  version: z.int(),
  name: z.string(),
  severity: z.enum(SEVERITIES),
  attack: z.array(attackSchema),
  enabled: z.boolean(),
  thresholds: z.array(
    z.object({ name: z.string(), default: z.unknown(), value: z.unknown(), description: z.string() }),
  ),
});

/** GET /api/rules: the catalogue with severity, ATT&CK techniques, the thresholds that hold here, and runbook. */
export function rulesRoute(app: ApiServer, settings: DetectionSettings): void {
  app.get(
    '/api/rules',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        summary: 'List the rules',
        description: 'The catalogue with severity, ATT&CK techniques, the thresholds that hold here, and runbook.',
        tags: ['detection service'],
        response: {
          200: z.object({ data: z.array(ruleSchema) }).describe('All rules.'),
          ...errorResponses(401, 403, 429),
        },
      },
    },
    async () => ({
      data: catalogue(settings).map((rule) => ({
        ...rule,
        attack: [...rule.attack],
        thresholds: [...rule.thresholds],
      })),
    }),
  );
}
