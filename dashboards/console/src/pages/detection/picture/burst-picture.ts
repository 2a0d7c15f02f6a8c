import { numberText } from '../../../language/numbers.ts';
import { WHOLE_STEPS } from '../../../parts/charts/axis-labels.ts';
import { visible } from '../../../parts/visible.ts';
import type { DetectionWithEvidence } from '../detection-types.ts';
import { DETECTION_TEXT } from '../text.ts';
import { crashLines, oldestFirst, secondsOf } from './crash-text.ts';
import { firstReports } from './first-reports.ts';
import type { Mark, PictureModel } from './picture-model.ts';

const TEXT = DETECTION_TEXT.burst;

/** Suppressed messages over time, with the crashes logged between them. One crash can have several messages. */
export function burstPicture({
  evidence,
  suppressedAtLeast,
}: Pick<DetectionWithEvidence, 'evidence' | 'suppressedAtLeast'>): PictureModel | undefined {
  const events = oldestFirst(evidence);
  const logged = firstReports(events);
  const suppressed = events.filter(({ event: { event } }) => event.type === 'LinuxSuppressedCallback');
  if (suppressed.length + logged.length === 0) return undefined;
  const counts = suppressed.map(({ event: { event } }) => Number(event.count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const stems = suppressed.map((record, index): Mark => {
    const { function_name: printer } = record.event.event;
    const count = counts[index] ?? 0;
    return {
      seconds: secondsOf(record),
      y: count,
      shape: 'stem',
      lines: [TEXT.suppressed(count), ...(typeof printer === 'string' ? [visible(printer)] : [])],
      opens: { kind: 'event', id: record.id },
    };
  });
  const ticks = logged.map(
    (record): Mark => ({
      seconds: secondsOf(record),
      y: 0,
      shape: 'tick',
      lines: [TEXT.loggedCrash, ...crashLines(record)],
      opens: { kind: 'event', id: record.id },
    }),
  );
  return {
    title: TEXT.title,
    axis: {
      kind: 'linear',
      low: 0,
      high: Math.max(...counts, 1) * 1.12,
      steps: WHOLE_STEPS,
      label: (value) => numberText(value),
    },
    marks: [...stems, ...ticks].sort((a, b) => a.seconds - b.seconds),
    bands: [],
    references: [],
    legend: [
      { symbol: 'stem', text: TEXT.legendSuppressed(total, suppressedAtLeast) },
      { symbol: 'tick', text: TEXT.legendLogged(logged.length) },
    ],
    summary: TEXT.summary(total, suppressed.length, logged.length),
  };
}
