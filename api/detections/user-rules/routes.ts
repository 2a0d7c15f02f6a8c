import { z } from 'zod';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { refusalText } from '#analytics/detections/user-rules/refusal.ts';
import { isUserRuleId } from '#analytics/detections/user-rules/user-rule-id.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { queryInteger } from '#api/http/queries/query-values.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  userRuleChangeSchema,
  userRuleDetailSchema,
  userRulePushedSchema,
  userRulePushSchema,
  userRuleSchema,
} from '#schemas/api/user-rules.ts';
import { ruleIdSchema } from '#schemas/detection.ts';
import {
  findUserRule,
  findUserRuleVersion,
  listUserRules,
  listUserRuleVersions,
  type UserRuleRow,
} from '../tables/user-rules.ts';
import type { UserRuleChanges } from './change-user-rules.ts';

export interface UserRuleRoutesDeps {
  readonly database: Database;
  readonly userRules: UserRuleChanges;
}

const READ = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const ADMIN = { access: { by: 'key-or-session', scope: 'admin' } } as const;
const tags = ['detection service'];
const MAX_VERSIONS = 100;
const params = z.strictObject({
  id: ruleIdSchema.refine(isUserRuleId, 'must be the id of a user rule: user- and its name'),
});

/**
 * GET and POST /api/user-rules, GET and PATCH /api/user-rules/{id}.
 * Long: each route includes its description.
 */
export function userRuleRoutes(app: ApiServer, { database, userRules }: UserRuleRoutesDeps): void {
  app.get(
    '/api/user-rules',
    {
      config: READ,
      schema: {
        operationId: 'listUserRules',
        summary: 'List user rules',
        description: 'Rules that administrators pushed, each with its current version, by id.',
        tags,
        response: {
          200: z.object({ data: z.array(userRuleSchema) }).describe('All rules, enabled and disabled.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: (await listUserRules(database)).map(shownRule) }),
  );

  app.get(
    '/api/user-rules/:id',
    {
      config: READ,
      schema: {
        operationId: 'getUserRule',
        summary: 'Get a user rule',
        description: 'The rule with its text and its versions. Versions are never changed or removed.',
        tags,
        params,
        querystring: z.strictObject({
          version: queryInteger({ min: 1, max: 1_000_000 }).optional().describe('`source` is the text of this version'),
        }),
        response: { 200: userRuleDetailSchema.describe('The rule.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async ({ params: { id }, query: { version } }) => {
      const row = await knownRule(id);
      const asked = version === undefined ? row : await findUserRuleVersion(database, id, version);
      if (asked === undefined) throw apiError('not_found', `${id} has no version ${version}`);
      const versions = await listUserRuleVersions(database, id, MAX_VERSIONS);
      return {
        ...shownRule(row),
        source: asked.source,
        versions: versions.map(({ version: number, sha256, pushedAt, pushedBy }) => ({
          version: number,
          sha256,
          pushedAt: pushedAt.toISOString(),
          pushedBy,
        })),
      };
    },
  );

  app.post(
    '/api/user-rules',
    {
      config: ADMIN,
      schema: {
        operationId: 'pushUserRule',
        summary: 'Push a user rule',
        description:
          'Adds a version to the rule that the file names, and creates the rule if it is new. Rejected with line and reason if a feature is not supported or a case under `tests` fails. An unchanged text creates no version. Applies within seconds to new events. Audited with the SHA-256 of the text.',
        tags,
        body: userRulePushSchema,
        response: {
          200: userRulePushedSchema.describe('The rule, with a new version or unchanged.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const { id, outcome } = await userRules.push(request.body.source, by);
      return { ...shownRule(await knownRule(id)), outcome };
    },
  );

  app.patch(
    '/api/user-rules/:id',
    {
      config: ADMIN,
      schema: {
        operationId: 'changeUserRule',
        summary: 'Enable or disable a user rule',
        description: 'Applies within seconds. Its versions and detections are kept. Audited.',
        tags,
        params,
        body: userRuleChangeSchema,
        response: {
          200: userRuleSchema.describe('The changed rule.'),
          ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const { id } = request.params;
      if (!(await userRules.setEnabled(id, request.body.enabled, by))) throw noSuchRule(id);
      return shownRule(await knownRule(id));
    },
  );

  async function knownRule(id: string): Promise<UserRuleRow> {
    return (await findUserRule(database, id)) ?? Promise.reject(noSuchRule(id));
  }
}

function noSuchRule(id: string) {
  return apiError('not_found', `there is no rule ${id}`);
}

function shownRule({ id, source, enabled, version, sha256, changedAt, changedBy }: UserRuleRow) {
  const read = readRule(source);
  return {
    id,
    title: read.ok ? read.rule.title : id,
    severity: read.ok ? read.rule.severity : ('medium' as const),
    enabled,
    version,
    sha256,
    changedAt: changedAt.toISOString(),
    changedBy,
    refusal: read.ok ? null : refusalText(read.refusal),
  };
}
