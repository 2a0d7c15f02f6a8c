import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { RecordChange } from '#api/audit/record-change.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { RecordLimits } from '#api/http/bodies/read-records.ts';
import { eventBody } from '#api/http/plugins/event-body.ts';
import type { Demo, Redrive, SubmitEvents } from '#api/http/ports.ts';
import type { Database } from '#api/postgres/database.ts';
import { createBacktestQueue } from './backtest/queue.ts';
import { ruleBacktestRoute } from './backtest/rule-route.ts';
import { userRuleBacktestRoute } from './backtest/user-rule-route.ts';
import type { Proposals } from './proposals/proposals.ts';
import { proposalRoutes } from './proposals/routes.ts';
import { activityRoutes } from './routes/activity.ts';
import { deadLetterRoutes } from './routes/dead-letters.ts';
import { demoRoutes } from './routes/demo.ts';
import { detectionGroupRoutes } from './routes/detection-groups.ts';
import { detectionRoutes } from './routes/detections.ts';
import { detectionSummaryRoute } from './routes/detections-summary.ts';
import { eventRoutes } from './routes/events.ts';
import { submitEventsRoute } from './routes/events-submit.ts';
import { eventSummaryRoute } from './routes/events-summary.ts';
import { signRoute } from './routes/signs.ts';
import type { ChangeRule } from './settings/change-rule.ts';
import { exceptionPolicyRoutes } from './settings/exception-policy-routes.ts';
import { exceptionRequestRoutes } from './settings/exception-request-routes.ts';
import type { ExceptionRequests } from './settings/exception-requests.ts';
import { exceptionRoutes } from './settings/exception-routes.ts';
import type { Exceptions } from './settings/exceptions.ts';
import { ruleChangeRoute } from './settings/rule-change-route.ts';
import { ruleRoutes } from './settings/rule-routes.ts';
import { createDetectionStreams } from './stream/detection-stream.ts';
import { detectionStreamRoute } from './stream/route.ts';
import type { ChangeDecisions } from './triage/change-decisions.ts';
import { detectionChangeRoutes } from './triage/routes.ts';
import type { UndoDecisions } from './triage/undo-decisions.ts';
import type { UserRuleChanges } from './user-rules/change-user-rules.ts';
import { userRuleRoutes } from './user-rules/routes.ts';

/** Stores and functions for changing detections, rules and exceptions. */
export interface DetectionChangesDeps {
  readonly database: Database;
  readonly changeDecisions: ChangeDecisions;
  readonly undoDecisions: UndoDecisions;
  readonly changeRule: ChangeRule;
  readonly exceptions: Exceptions;
  readonly exceptionRequests: ExceptionRequests;
  readonly userRules: UserRuleChanges;
  readonly proposals: Proposals;
}

export interface DetectionsDeps {
  readonly clickhouse: ClickHouse;
  readonly logger: FastifyBaseLogger;
  readonly submitEvents: SubmitEvents;
  readonly redrive: Redrive;
  /** Thresholds and exceptions of the rules file. */
  readonly rules: DetectionSettings;
  /** Undefined if this process has no store for changes. It then only lists. */
  readonly changes?: DetectionChangesDeps | undefined;
  readonly demo?: Demo | undefined;
  /** Adds an entry to the audit log. By default, nothing is recorded. */
  readonly recordChange?: RecordChange | undefined;
}

/** Adds the routes of events, detections, dead letters, rules and exceptions. */
export async function registerDetections(app: ApiServer, deps: DetectionsDeps, limits: RecordLimits): Promise<void> {
  const { clickhouse, logger, submitEvents, redrive, rules, changes, demo, recordChange = async () => {} } = deps;
  // A separate scope, because only the route for events accepts its content types.
  await app.register(async (scope) => {
    await scope.register(eventBody, { limits });
    submitEventsRoute(scope, submitEvents, limits);
  });
  eventRoutes(app, clickhouse);
  eventSummaryRoute(app, clickhouse);
  detectionRoutes(app, clickhouse, changes?.database);
  signRoute(app, clickhouse);
  detectionSummaryRoute(app, clickhouse);
  detectionGroupRoutes(app, clickhouse);
  detectionStreamRoute(app, { streams: createDetectionStreams({ clickhouse, logger }) });
  activityRoutes(app, clickhouse);
  deadLetterRoutes(app, clickhouse, redrive, recordChange);
  if (demo !== undefined) demoRoutes(app, demo, recordChange);
  ruleRoutes(app, rules, changes?.database);
  if (changes === undefined) return;
  const changeDeps = { ...changes, clickhouse, base: rules };
  detectionChangeRoutes(app, changeDeps);
  proposalRoutes(app, changes);
  ruleChangeRoute(app, changeDeps);
  exceptionRoutes(app, changeDeps);
  exceptionPolicyRoutes(app, changeDeps);
  exceptionRequestRoutes(app, changeDeps);
  userRuleRoutes(app, changeDeps);
  const backtestDeps = { ...changeDeps, queue: createBacktestQueue() };
  ruleBacktestRoute(app, backtestDeps);
  userRuleBacktestRoute(app, backtestDeps);
}
