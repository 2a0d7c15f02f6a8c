import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { findRuleEvents } from '#analytics/clickhouse/read-models/user-rule-events.ts';
import { runUserRule } from '#analytics/detections/backtest/run-user-rule.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { Database } from '#api/postgres/database.ts';
import { userRuleBacktestSchema, userRulePushSchema } from '#schemas/api/user-rules.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { BACKTEST_DAYS, instantOf, shownDetections, stretchOf } from '../settings/backtest-stretch.ts';
import { readSettings } from '../settings/read-settings.ts';
import { acceptedRule } from './change-user-rules.ts';

export interface UserRuleBacktestDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** What the rules file says. */
  readonly base: DetectionSettings;
}

/** Events that are judged at most, after ClickHouse has left out those that cannot match. */
const MAX_EVENTS = 1_000_000;
const MAX_MS = 30_000;

const body = userRulePushSchema.extend({
  from: z
    .string()
    .max(64)
    .optional()
    .describe(`Events from this instant on, RFC 3339; default ${BACKTEST_DAYS} days before \`to\``),
  to: z.string().max(64).optional().describe('Events before this instant, RFC 3339; default now'),
});

/** POST /api/user-rules/backtest: what a rule would have found in the stored events. One at a time in each process. */
export function userRuleBacktestRoute(app: ApiServer, { clickhouse, database, base }: UserRuleBacktestDeps): void {
  let busy = false;
  app.post(
    '/api/user-rules/backtest',
    {
      config: { access: { by: 'key-or-session', scope: 'admin' } },
      schema: {
        operationId: 'backtestUserRule',
        summary: 'Try a rule of your own',
        description:
          'Judges stored events by the rule and returns what it would have found; nothing is changed. At most the newest million events that the rule has to judge, and half a minute.',
        tags: ['detection service'],
        body,
        response: {
          200: userRuleBacktestSchema.describe('What the rule found.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const { source, from, to } = request.body;
      const rule = acceptedRule(source);
      const stretch = stretchOf(from, to);
      const { settings } = await readSettings(database, base);
      if (busy)
        throw apiError('rate_limited', 'another back-test is running', undefined, {
          'retry-after': String(MAX_MS / 1_000),
        });
      busy = true;
      try {
        const limits = { mostEvents: MAX_EVENTS, maxSeconds: MAX_MS / 1_000 + 15 };
        const found = await findRuleEvents(clickhouse, rule, { ...stretch, ...limits });
        const task = { source, exceptions: settings.exceptions, columns: found.columns };
        const { detections, complete } = await runUserRule(task, found.rows(), { maxMs: MAX_MS });
        return {
          from: formatInstant(instantOf(found.fromNanos)),
          to: formatInstant(stretch.to),
          events: found.events,
          judged: found.candidates,
          complete: complete && !found.shortened,
          detections: detections.length,
          silenced: detections.filter(({ exception }) => exception !== null).length,
          found: shownDetections(detections),
        };
      } finally {
        busy = false;
      }
    },
  );
}
