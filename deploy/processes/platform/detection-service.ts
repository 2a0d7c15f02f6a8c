import type { DetectionServiceDeps } from '#api/detection-service-routes.ts';
import { createDecisionChanges } from '#api/triage/change-decisions.ts';
import { startLandingDecisions } from '#api/triage/land-decisions.ts';
import type { Foundation } from './foundation.ts';

/** What the routes of the detection service need to change anything. */
export async function startDetectionService(foundation: Foundation): Promise<DetectionServiceDeps> {
  const { lifecycle, log, clickhouse, database, audit } = foundation;
  const deps = { clickhouse, database, audit, logger: log };
  await lifecycle.start('landing of decisions', () => {
    const value = startLandingDecisions(deps);
    return { value, stop: () => value.stop() };
  });
  return { database, changeDecisions: createDecisionChanges(deps) };
}
