import { numberText } from '../../language/numbers.ts';
import type { Detection } from './detection-types.ts';
import { durationText } from './story.ts';
import { DETECTION_TEXT } from './text.ts';

const { figures: TEXT } = DETECTION_TEXT;

export interface Figure {
  readonly name: string;
  readonly value: string;
}

type Counted = Pick<
  Detection,
  | 'crashes'
  | 'suppressedAtLeast'
  | 'firstSeen'
  | 'lastSeen'
  | 'valuesTotal'
  | 'hostsTotal'
  | 'evidenceCount'
  | 'risk'
  | 'rule'
>;

/** Crashes, unlogged crashes, duration, and what the detection counts besides: addresses, hosts, detections or reports. */
export function figuresOf(detection: Counted): Figure[] {
  const { crashes, suppressedAtLeast, firstSeen, lastSeen } = detection;
  const seconds = (Date.parse(lastSeen) - Date.parse(firstSeen)) / 1_000;
  return [
    { name: TEXT.crashes, value: numberText(crashes) },
    { name: TEXT.unlogged, value: suppressedAtLeast === 0 ? TEXT.none : TEXT.atLeast(suppressedAtLeast) },
    { name: TEXT.duration, value: seconds < 1 ? TEXT.instant : durationText(seconds) },
    lastFigure(detection),
  ];
}

function lastFigure({ valuesTotal, hostsTotal, evidenceCount, risk, crashes, suppressedAtLeast }: Counted): Figure {
  if (risk !== null) return { name: TEXT.signs, value: numberText(evidenceCount) };
  if (hostsTotal > 0) return { name: TEXT.hosts, value: numberText(hostsTotal) };
  if (valuesTotal > 0) return { name: TEXT.addresses, value: numberText(valuesTotal) };
  if (crashes + suppressedAtLeast === 0) return { name: TEXT.reports, value: numberText(evidenceCount) };
  return { name: TEXT.addresses, value: TEXT.unknown };
}

/** Evidence within this time counts as activity, minutes. */
export const ACTIVE_MINUTES = 5;

/** Seconds since the latest evidence; undefined while the detection is active. */
export function stoppedFor(lastSeen: string, now: number): number | undefined {
  const seconds = (now - Date.parse(lastSeen)) / 1_000;
  return seconds < ACTIVE_MINUTES * 60 ? undefined : seconds;
}
