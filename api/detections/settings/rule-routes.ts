import { z } from 'zod';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { knownRuleIdSchema } from '#analytics/detections/rule-registry.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';

import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { ruleListingSchema } from '#schemas/api/rules.ts';
import { listRuleSettings } from '../tables/rule-settings.ts';
import { listUserRulesAsRules } from '../user-rules/list-user-rules.ts';
import { readSettings } from './read-settings.ts';

const config = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const tags = ['detection service'];

/**
 * Lists the built-in rules with their effective settings, then the user rules. Settings in the database override
 * `base`, the settings of the rules file.
 */
export async function listRules(base: DetectionSettings, database: Database | undefined) {
  const { settings } = database === undefined ? { settings: base } : await readSettings(database, base);
  const rows = database === undefined ? [] : await listRuleSettings(database);
  const versions = new Map(rows.map(({ rule, version }) => [rule, version]));
  const builtIn = catalogue(settings).map((rule) => ({
    ...rule,
    attack: [...rule.attack],
    runbook: { nextChecks: [...rule.runbook.nextChecks], falsePositives: [...rule.runbook.falsePositives] },
    statistics: { ...rule.statistics, evasions: [...rule.statistics.evasions] },
    thresholds: [...rule.thresholds],
    etag: entityTag(versions.get(rule.id) ?? 0),
    origin: 'built-in' as const,
    author: null,
  }));
  return [...builtIn, ...(await listUserRulesAsRules(base, database))];
}

/** Returns one rule of `listRules`. */
export async function listedRule(id: string, base: DetectionSettings, database: Database | undefined) {
  const rule = (await listRules(base, database)).find((one) => one.id === id);
  if (rule === undefined) throw apiError('not_found', 'there is no such rule');
  return rule;
}

/** GET /api/rules and GET /api/rules/{id}: the catalogue with severity, ATT&CK techniques, effective thresholds and runbook. */
export function ruleRoutes(app: ApiServer, base: DetectionSettings, database?: Database): void {
  const description =
    'The catalogue with severity, ATT&CK techniques, effective thresholds and runbook. Settings of this API override the rules file, which overrides the defaults. The list ends with the user rules, enabled and disabled; use …/user-rules to read and change their text.';
  app.get(
    '/api/rules',
    {
      config,
      schema: {
        operationId: 'listRules',
        summary: 'List the rules',
        description,
        tags,
        response: {
          200: z.object({ data: z.array(ruleListingSchema) }).describe('All rules.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: await listRules(base, database) }),
  );

  app.get(
    '/api/rules/:id',
    {
      config,
      schema: {
        operationId: 'getRule',
        summary: 'Get one rule',
        description,
        tags,
        params: z.strictObject({ id: knownRuleIdSchema }),
        response: {
          200: ruleListingSchema.describe('The rule; the header ETag contains its ETag.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const rule = await listedRule(request.params.id, base, database);
      reply.header('etag', rule.etag);
      return rule;
    },
  );
}
