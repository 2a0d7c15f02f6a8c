import { z } from 'zod';
import { findRuleEvents } from '#analytics/clickhouse/read-models/user-rule-events.ts';
import { runUserRule } from '#analytics/detections/backtest/run-user-rule.ts';
import { principalOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { clientSignal } from '#api/http/client-signal.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { userRuleBacktestSchema, userRulePushSchema } from '#schemas/api/user-rules.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { readSettings } from '../settings/read-settings.ts';
import { acceptedRule } from '../user-rules/change-user-rules.ts';
import { type BacktestDeps, type BacktestLimits, boundsOf } from './deps.ts';
import { countDetections, shownDetections } from './response-detections.ts';
import { type BacktestReport, PROGRESS_DESCRIPTION, sendProgress } from './send-progress.ts';
import { instantOf, timeRangeFields, timeRangeOf } from './time-range.ts';

/** POST /api/user-rules/backtest: the detections that a rule would create from the stored events. */
export function userRuleBacktestRoute(
  app: ApiServer,
  { clickhouse, database, base, queue }: BacktestDeps,
  limits: BacktestLimits = {},
): void {
  const { maxMs, ...bounds } = boundsOf(limits);

  app.post(
    '/api/user-rules/backtest',
    {
      config: { access: { by: 'key-or-session', scope: 'admin' } },
      schema: {
        operationId: 'backtestUserRule',
        summary: 'Back-test a user rule',
        description: `Evaluates stored events with the rule and returns the detections that it would create; nothing is changed. Limits: the newest million events that the rule evaluates, and half a minute. Back-tests run one at a time; a few may wait, further ones get a 429. ${PROGRESS_DESCRIPTION}`,
        tags: ['detection service'],
        body: userRulePushSchema.extend(timeRangeFields),
        response: {
          200: {
            description: 'The detections of the rule.',
            content: {
              'application/json': { schema: userRuleBacktestSchema },
              'text/event-stream': { schema: z.string().describe('Positions and progress, followed by the result') },
            },
          },
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { source, from, to } = request.body;
      const rule = acceptedRule(source);
      const gone = clientSignal(reply);
      const range = { ...timeRangeOf(from, to), ...bounds, signal: gone };
      const { settings } = await readSettings(database, base);
      const run = async (report?: BacktestReport) => {
        const found = await findRuleEvents(clickhouse, rule, range);
        const task = { source, exceptions: settings.exceptions, columns: found.columns };
        const onJudged = report && ((judged: number) => report.onJudged(judged, found.candidates));
        const { detections, complete } = await runUserRule(task, found.rows(), { maxMs, signal: gone, onJudged });
        return {
          from: formatInstant(instantOf(found.fromNanos)),
          to: formatInstant(range.to),
          events: found.events,
          judged: found.candidates,
          complete: complete && !found.shortened,
          ...countDetections(detections),
          found: shownDetections(detections),
        };
      };
      return sendProgress(request, reply, (report) =>
        queue.run(principalOf(request.caller), gone, () => run(report), report?.onPosition),
      );
    },
  );
}
