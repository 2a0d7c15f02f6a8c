import type { Detection } from '#schemas/detection.ts';
import type { TriageRow } from '../tables/detection-triage.ts';

/** The detection with the decision as PostgreSQL keeps it: that of ClickHouse may be some seconds behind. */
export function withDecision(detection: Detection, triage: TriageRow | undefined): Detection {
  if (triage === undefined || triage.version === 0) return detection;
  const { status, verdict, assignee, note } = triage;
  return { ...detection, status, verdict, assignee, note };
}
