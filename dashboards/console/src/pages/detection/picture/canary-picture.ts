import { numberText } from '../../../language/numbers.ts';
import { WHOLE_STEPS } from '../../../parts/charts/axis-labels.ts';
import type { DetectionWithEvidence } from '../detection-types.ts';
import { DETECTION_TEXT } from '../text.ts';
import { crashLines, oldestFirst, secondsOf } from './crash-text.ts';
import { firstReports } from './first-reports.ts';
import type { PictureModel } from './picture-model.ts';

const TEXT = DETECTION_TEXT.canary;

/**
 * A 64-bit canary has one zero byte and seven unknown bytes. An attacker guesses them one by one, with at most 256
 * tries each.
 */
const UNKNOWN_BYTES = 7;
const MAX_TRIES = UNKNOWN_BYTES * 256;
const AVERAGE_TRIES = MAX_TRIES / 2;

/** Cumulative number of attempts over time, compared with the tries that a byte-wise guess of the canary needs. */
export function canaryPicture({
  evidence,
  crashes,
  suppressedAtLeast,
}: Pick<DetectionWithEvidence, 'evidence' | 'crashes' | 'suppressedAtLeast'>): PictureModel | undefined {
  const attempts = crashes + suppressedAtLeast;
  const reports = firstReports(oldestFirst(evidence));
  if (reports.length === 0) return undefined;
  // The evidence contains only the latest events. Earlier attempts are the starting value.
  const before = Math.max(crashes - reports.length, 0);
  const highest = before + reports.length;
  const high = highest > AVERAGE_TRIES * 0.7 ? Math.max(MAX_TRIES, highest) : AVERAGE_TRIES;
  return {
    title: TEXT.title,
    caption: TEXT.caption,
    axis: {
      kind: 'linear',
      low: 0,
      high: high * 1.08,
      steps: WHOLE_STEPS,
      label: (value) => numberText(value),
    },
    marks: reports.map((record, index) => ({
      seconds: secondsOf(record),
      y: before + index + 1,
      shape: 'dot',
      lines: [TEXT.attempt(before + index + 1), ...crashLines(record)],
      opens: { kind: 'event', id: record.id },
    })),
    bands: [],
    references: [
      { y: AVERAGE_TRIES, label: TEXT.average(AVERAGE_TRIES) },
      { y: MAX_TRIES, label: TEXT.max(MAX_TRIES) },
    ].filter(({ y }) => y <= high),
    legend: [
      { symbol: 'dot', text: TEXT.legend },
      { symbol: 'reference', text: TEXT.expected },
    ],
    progress: { value: attempts, max: MAX_TRIES, text: TEXT.progress(attempts, MAX_TRIES, AVERAGE_TRIES) },
    summary: TEXT.summary(attempts, MAX_TRIES),
  };
}
