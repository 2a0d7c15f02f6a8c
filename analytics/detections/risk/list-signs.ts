import type { Detection } from '#schemas/detection.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';
import { pointsBySign, RISK_POINTS, type RiskDetection } from './score.ts';

/** A sign of an alert: one rule for one program. */
export interface Sign {
  readonly rule: Detection['rule'];
  readonly procname: string | null;
  /** Points at the latest evidence of the alert. */
  readonly points: number;
  /** The detections of the sign, latest evidence first. */
  readonly detections: readonly Detection[];
}

/**
 * Returns the signs that contribute to an alert of `host-risk`, most points first. `detections` are those that the
 * alert's `values` name.
 */
export function listSigns(alert: Pick<Detection, 'lastSeen'>, detections: readonly Detection[]): Sign[] {
  const keyed = detections.map((detection) => ({ ...counted(detection), detection }));
  const points = pointsBySign(keyed, secondsOf(alert.lastSeen));
  return [...Map.groupBy(keyed, ({ sign }) => sign)]
    .map(([sign, own]) => {
      const sorted = own.map(({ detection }) => detection).sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
      const { rule, procname } = sorted[0] as Detection;
      return { rule, procname, points: Math.round((points.get(sign) ?? 0) * 100) / 100, detections: sorted };
    })
    .sort((a, b) => b.points - a.points || (a.rule.id < b.rule.id ? -1 : 1));
}

function counted({ rule, procname, severity, firstSeen, lastSeen }: Detection): RiskDetection {
  return {
    sign: `${rule.id} ${procname ?? ''}`,
    points: RISK_POINTS[severity],
    first: secondsOf(firstSeen),
    last: secondsOf(lastSeen),
  };
}

function secondsOf(timestamp: string): number {
  const instant = readTimestamp(timestamp);
  if (typeof instant === 'string') throw new TypeError('firstSeen and lastSeen of a detection are RFC 3339 times');
  return instant.seconds;
}
