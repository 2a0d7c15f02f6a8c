import { z } from 'zod';
import {
  backtestBegin,
  backtestEvents,
  countBacktestEvents,
} from '#analytics/clickhouse/read-models/backtest-events.ts';
import { compareDetections } from '#analytics/detections/backtest/compare-detections.ts';
import { type BacktestRun, runBacktest } from '#analytics/detections/backtest/run-backtest.ts';
import { knownRuleIdSchema } from '#analytics/detections/rule-registry.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { isUserRuleId } from '#analytics/detections/user-rules/user-rule-id.ts';
import { principalOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { clientSignal } from '#api/http/client-signal.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { backtestSchema, ruleProposalSchema } from '#schemas/api/rules.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { proposeRule } from '../settings/propose-rule.ts';
import { readSettings } from '../settings/read-settings.ts';
import { refuseInvalid } from '../settings/rule-change-route.ts';
import { findRuleSettings } from '../tables/rule-settings.ts';
import { type BacktestDeps, type BacktestLimits, boundsOf } from './deps.ts';
import { countDetections, SHOWN_DETECTIONS, shownDetections } from './response-detections.ts';
import { type BacktestReport, PROGRESS_DESCRIPTION, sendProgress } from './send-progress.ts';
import { instantOf, timeRangeFields, timeRangeOf } from './time-range.ts';

/** POST /api/rules/{id}/backtest: the detections that the rule would create with other settings. */
export function ruleBacktestRoute(
  app: ApiServer,
  { clickhouse, database, base, queue }: BacktestDeps,
  limits: BacktestLimits = {},
): void {
  const { maxMs, ...bounds } = boundsOf(limits);

  app.post(
    '/api/rules/:id/backtest',
    {
      config: { access: { by: 'key-or-session', scope: 'admin' } },
      schema: {
        operationId: 'backtestRule',
        summary: 'Back-test settings of a rule',
        description: `Evaluates stored events with the current and with the proposed settings, and returns the detections of both; nothing is changed. Limits: the newest million events of the time range, and half a minute. Episodes that began before the time range can differ from the stored detections. Back-tests run one at a time; a few may wait, further ones get a 429. ${PROGRESS_DESCRIPTION}`,
        tags: ['detection service'],
        params: z.strictObject({ id: knownRuleIdSchema }),
        body: ruleProposalSchema.extend(timeRangeFields),
        response: {
          200: {
            description: 'The detections of both settings.',
            content: {
              'application/json': { schema: backtestSchema },
              'text/event-stream': { schema: z.string().describe('Positions and progress, followed by the result') },
            },
          },
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (isUserRuleId(id)) throw apiError('invalid_value', 'a user rule has no settings to try', 'id');
      const { from, to, ...proposal } = request.body;
      const gone = clientSignal(reply);
      const range = { ...timeRangeOf(from, to), ...bounds, signal: gone };
      const { settings: current } = await readSettings(database, base);
      const row = await findRuleSettings(database, id);
      const { settings } = await Promise.resolve()
        .then(() => proposeRule(base, id, row?.settings ?? {}, proposal))
        .catch(refuseInvalid);
      const proposed = { ...current, rules: { ...current.rules, [id]: settings } } as DetectionSettings;
      const run = async (report?: BacktestReport) => {
        const { fromNanos, shortened } = await backtestBegin(clickhouse, range);
        const total = report === undefined ? 0 : await countBacktestEvents(clickhouse, fromNanos, range);
        const events = backtestEvents(clickhouse, fromNanos, range);
        const onJudged = report && ((judged: number) => report.onJudged(judged, total));
        const found = await runBacktest({ rule: id, current, proposed }, events, { maxMs, signal: gone, onJudged });
        return {
          from: formatInstant(instantOf(fromNanos)),
          to: formatInstant(range.to),
          events: found.events,
          complete: found.complete && !shortened,
          current: countDetections(found.current),
          proposed: countDetections(found.proposed),
          ...comparedForClients(found),
        };
      };
      return sendProgress(request, reply, (report) =>
        queue.run(principalOf(request.caller), gone, () => run(report), report?.onPosition),
      );
    },
  );
}

/** Returns the differences for the response. */
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
