import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { createProposals } from '#api/detections/proposals/proposals.ts';
import type { DetectionChangesDeps } from '#api/detections/register-detections.ts';
import { createRuleChange } from '#api/detections/settings/change-rule.ts';
import { createExceptionRequests } from '#api/detections/settings/exception-requests.ts';
import { createExceptions } from '#api/detections/settings/exceptions.ts';
import { landExceptions, startLandingExceptions } from '#api/detections/settings/land-exceptions.ts';
import type { SettingsWatch } from '#api/detections/settings/settings-watch.ts';
import { createDecisionChanges } from '#api/detections/triage/change-decisions.ts';
import { startLandingDecisions } from '#api/detections/triage/land-decisions.ts';
import { createDecisionUndo } from '#api/detections/triage/undo-decisions.ts';
import { createUserRuleChanges } from '#api/detections/user-rules/change-user-rules.ts';
import { noticesOf } from './cases-part.ts';
import type { Foundation } from './foundation.ts';

export interface RuleParts {
  /** Settings of the rules file. */
  readonly rules: DetectionSettings;
  /** Changes of administrators on top of it. */
  readonly ruleSource: SettingsWatch;
}

/** Dependencies of the detection service's routes. */
export async function startDetectionService(
  foundation: Foundation,
  { rules, ruleSource }: RuleParts,
): Promise<DetectionChangesDeps> {
  const { lifecycle, log, clickhouse, database, audit } = foundation;
  const onAssigned = noticesOf(foundation).assigned;
  const decisions = { clickhouse, database, audit, logger: log, onAssigned };
  const settings = { database, audit, base: rules, changed: ruleSource.refresh };
  await lifecycle.start('landing of decisions', () => {
    const value = startLandingDecisions(decisions);
    return { value, stop: () => value.stop() };
  });
  const landing = { clickhouse, database, base: rules, logger: log };
  await lifecycle.start('landing of exceptions', () => {
    const value = startLandingExceptions(landing);
    return { value, stop: () => value.stop() };
  });
  const changed = async () => {
    await ruleSource.refresh();
    return landExceptions(landing);
  };
  const changeDecisions = createDecisionChanges(decisions);
  return {
    database,
    changeDecisions,
    // After an undo, the restored assignee has already had an email.
    undoDecisions: createDecisionUndo({ ...decisions, onAssigned: undefined }),
    proposals: createProposals({ clickhouse, database, audit, changeDecisions }),
    changeRule: createRuleChange(settings),
    exceptions: createExceptions({ ...settings, changed }),
    exceptionRequests: createExceptionRequests({ ...settings, changed }),
    userRules: createUserRuleChanges(settings),
  };
}
