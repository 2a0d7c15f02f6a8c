import { z } from 'zod';
import { knownRuleIdSchema } from '#analytics/detections/rule-registry.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { isUserRuleId } from '#analytics/detections/user-rules/user-rule-id.ts';

import { actorOf } from '#api/http/access/caller.ts';
import { apiError, invalidRequest } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import { ruleListingSchema, ruleProposalSchema } from '#schemas/api/rules.ts';
import type { ChangeRule } from './change-rule.ts';
import { listedRule } from './rule-routes.ts';

export interface RuleChangeRouteDeps {
  readonly database: Database;
  /** Settings of the rules file. */
  readonly base: DetectionSettings;
  readonly changeRule: ChangeRule;
}

/** PATCH /api/rules/{id}: enabled or disabled, thresholds and windows. */
export function ruleChangeRoute(app: ApiServer, { database, base, changeRule }: RuleChangeRouteDeps): void {
  app.patch(
    '/api/rules/:id',
    {
      config: { access: { by: 'key-or-session', scope: 'admin' } },
      schema: {
        operationId: 'changeRule',
        summary: 'Change a rule',
        description:
          'Enables or disables a rule, or changes thresholds and windows. Omitted fields stay as they are; null restores the value of the rules file or the default. Applies within seconds to new events; existing detections do not change. With the header If-Match, the change fails with 412 if the rule changed since it was read. Audited. Use …/backtest to try settings before.',
        tags: ['detection service'],
        params: z.strictObject({ id: knownRuleIdSchema }),
        headers: ifMatchHeaders('settings'),
        body: ruleProposalSchema,
        response: {
          200: ruleListingSchema.describe('The changed rule; the header ETag contains its ETag.'),
          ...errorResponses(400, 401, 403, 404, 412, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (isUserRuleId(id)) throw apiError('invalid_value', 'a user rule is changed at /api/user-rules', 'id');
      const by = {
        actor: actorOf(request.caller),
        origin: originOf(request),
        ifMatch: request.headers['if-match'],
      };
      const outcome = await changeRule(id, request.body, by).catch(refuseInvalid);
      if (outcome === 'changed_meanwhile') throw changedSinceRead();
      const rule = await listedRule(id, base, database);
      reply.header('etag', rule.etag);
      return rule;
    },
  );
}

/** Throws a 400 for an invalid proposal. Rethrows any other error. */
export function refuseInvalid(error: unknown): never {
  if (error instanceof z.ZodError) throw invalidRequest(error);
  throw error;
}
