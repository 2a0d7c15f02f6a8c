import { numberText } from '../../language/numbers.ts';
import type { Detection } from './detection-types.ts';
import { durationText } from './story.ts';
import { DETECTION_TEXT } from './text.ts';

const { figures: TEXT } = DETECTION_TEXT;

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Search field of detections that contains this number. */
  readonly field?: 'crashes' | 'suppressed' | 'values' | 'evidence' | 'duration';
  readonly number?: number;
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

/**
 * Returns crashes, unlogged crashes, duration, and the number of addresses or hosts. A rule that counts no crashes has
 * its risk, detections or reports instead.
 */
export function figuresOf(detection: Counted): Figure[] {
  const { crashes, suppressedAtLeast, firstSeen, lastSeen, evidenceCount, risk } = detection;
  const seconds = (Date.parse(lastSeen) - Date.parse(firstSeen)) / 1_000;
  const duration: Figure = {
    name: TEXT.duration,
    value: seconds < 1 ? TEXT.instant : durationText(seconds),
    field: 'duration',
    number: Math.max(0, Math.floor(seconds)),
  };
  if (risk !== null)
    return [
      { name: TEXT.risk, value: numberText(risk.normalised) },
      counted(TEXT.signs, 'evidence', evidenceCount),
      duration,
    ];
  if (crashes + suppressedAtLeast === 0) return [counted(TEXT.reports, 'evidence', evidenceCount), duration];
  return [
    counted(TEXT.crashes, 'crashes', crashes),
    {
      ...counted(TEXT.unlogged, 'suppressed', suppressedAtLeast),
      value: suppressedAtLeast === 0 ? TEXT.none : TEXT.atLeast(suppressedAtLeast),
    },
    duration,
    lastFigure(detection),
  ];
}

function lastFigure({ valuesTotal, hostsTotal }: Counted): Figure {
  if (hostsTotal > 0) return { name: TEXT.hosts, value: numberText(hostsTotal) };
  return valuesTotal > 0
    ? counted(TEXT.addresses, 'values', valuesTotal)
    : { name: TEXT.addresses, value: TEXT.unknown };
}

function counted(name: string, field: NonNullable<Figure['field']>, number: number): Figure {
  return { name, value: numberText(number), field, number };
}

/** Maximum age of the latest evidence of an active detection, minutes. */
export const ACTIVE_MINUTES = 5;

/** Returns the seconds since the latest evidence. Undefined while the detection is active. */
export function stoppedFor(lastSeen: string, now: number): number | undefined {
  const seconds = (now - Date.parse(lastSeen)) / 1_000;
  return seconds < ACTIVE_MINUTES * 60 ? undefined : seconds;
}
