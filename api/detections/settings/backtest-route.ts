import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { backtestBegin, backtestEvents } from '#analytics/clickhouse/read-models/backtest-events.ts';
import { compareDetections } from '#analytics/detections/backtest/compare-detections.ts';
import { type BacktestRun, runBacktest } from '#analytics/detections/backtest/run-backtest.ts';
import { knownRuleIdSchema } from '#analytics/detections/rule-registry.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { isUserRuleId } from '#analytics/detections/user-rules/user-rule-id.ts';

import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { Database } from '#api/postgres/database.ts';
import { backtestSchema, ruleProposalSchema } from '#schemas/api/rules.ts';

import type { Detection } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { findRuleSettings } from '../tables/rule-settings.ts';
import { BACKTEST_DAYS, instantOf, SHOWN_DETECTIONS, shownDetections, stretchOf } from './backtest-stretch.ts';
import { proposeRule } from './propose-rule.ts';
import { readSettings } from './read-settings.ts';
import { refuseInvalid } from './rule-change-route.ts';

export interface BacktestRouteDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** What the rules file says. */
  readonly base: DetectionSettings;
}

export interface BacktestLimits {
  /** Events that are judged at most. Default 1,000,000. */
  readonly mostEvents?: number;
  /** Of the judging, ms. Default 30,000. */
  readonly maxMs?: number;
}

const body = ruleProposalSchema.extend({
  from: z
    .string()
    .max(64)
    .optional()
    .describe(`Events from this instant on, RFC 3339; default ${BACKTEST_DAYS} days before \`to\``),
  to: z.string().max(64).optional().describe('Events before this instant, RFC 3339; default now'),
});

/** POST /api/rules/{id}/backtest: what the rule would have found with other settings. One at a time in each process. */
export function backtestRoute(app: ApiServer, deps: BacktestRouteDeps, limits: BacktestLimits = {}): void {
  const { clickhouse, database, base } = deps;
  const { mostEvents = 1_000_000, maxMs = 30_000 } = limits;
  let busy = false;

  app.post(
    '/api/rules/:id/backtest',
    {
      config: { access: { by: 'key-or-session', scope: 'admin' } },
      schema: {
        operationId: 'backtestRule',
        summary: 'Try settings of a rule',
        description:
          'Judges stored events by the current settings and by the proposed ones, and returns what the rule finds under each; nothing is changed. The newest million events of the time, half a minute at most. Episodes that began before the time may look different from the detections that are kept.',
        tags: ['detection service'],
        params: z.strictObject({ id: knownRuleIdSchema }),
        body,
        response: {
          200: backtestSchema.describe('What was found.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (isUserRuleId(id)) throw apiError('invalid_value', 'a user rule has no settings to try', 'id');
      const { from, to, ...proposal } = request.body;
      const stretch = stretchOf(from, to);
      const { settings: current } = await readSettings(database, base);
      const row = await findRuleSettings(database, id);
      const { settings } = await Promise.resolve()
        .then(() => proposeRule(base, id, row?.settings ?? {}, proposal))
        .catch(refuseInvalid);
      const proposed = { ...current, rules: { ...current.rules, [id]: settings } } as DetectionSettings;
      if (busy)
        throw apiError('rate_limited', 'another back-test is running', undefined, {
          'retry-after': String(Math.ceil(maxMs / 1_000)),
        });
      busy = true;
      try {
        const bounds = { ...stretch, mostEvents, maxSeconds: Math.ceil(maxMs / 1_000) + 15 };
        const { fromNanos, shortened } = await backtestBegin(clickhouse, bounds);
        const events = backtestEvents(clickhouse, fromNanos, bounds);
        const run = await runBacktest({ rule: id, current, proposed }, events, { maxMs });
        return {
          from: formatInstant(instantOf(fromNanos)),
          to: formatInstant(stretch.to),
          events: run.events,
          complete: run.complete && !shortened,
          current: counted(run.current),
          proposed: counted(run.proposed),
          ...comparedForClients(run),
        };
      } finally {
        busy = false;
      }
    },
  );
}

function counted(detections: readonly Detection[]) {
  return {
    detections: detections.length,
    silenced: detections.filter(({ exception }) => exception !== null).length,
  };
}

/** What differs, as the API answers it. */
function comparedForClients({ current, proposed }: Pick<BacktestRun, 'current' | 'proposed'>) {
  const { added, removed, changed } = compareDetections(current, proposed);
  return {
    added: shownDetections(added),
    removed: shownDetections(removed),
    changed: changed
      .slice(0, SHOWN_DETECTIONS)
      .map(({ before, after }) => ({ before: shownDetections(before), after: shownDetections(after) })),
  };
}
