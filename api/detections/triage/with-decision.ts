import type { Detection } from '#schemas/detection.ts';
import type { TriageRow } from '../tables/detection-triage.ts';

/** Returns the detection with the decision from PostgreSQL. The copy in ClickHouse may be some seconds older. */
export function withDecision(detection: Detection, triage: TriageRow | undefined): Detection {
  if (triage === undefined || triage.version === 0) return detection;
  const { status, verdict, assignee, note } = triage;
  return { ...detection, status, verdict, assignee, note };
}
