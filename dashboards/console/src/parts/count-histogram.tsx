import { Loader } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { Options } from 'uplot';
import { labelRoom, WHOLE_STEPS } from './axis-labels.ts';
import { PARTS_TEXT } from './text.ts';
import { TIME_AXIS } from './time-axis.ts';
import { momentText } from './time-words.ts';
import { SERIES_COLORS } from './tokens.ts';

const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

export interface Count {
  /** Start of the bucket, RFC 3339. */
  readonly at: string;
  readonly count: number;
}

/**
 * Counts over time, as bars. Reports a range that is selected with the mouse; keyboard users have the range inputs of the page.
 * `counts` must be the same array between renderings while its content is the same.
 */
export function CountHistogram({
  counts,
  stepSeconds,
  label,
  countText,
  height = 110,
  onSelect,
}: {
  readonly counts: readonly Count[];
  readonly stepSeconds: number;
  /** Name of the counted items, plural. */
  readonly label: string;
  /** A number of them, with the noun: `12 events`. */
  readonly countText: (count: number) => string;
  readonly height?: number;
  /** Ends of the selected range, RFC 3339. */
  readonly onSelect?: (from: string, to: string) => void;
}) {
  const { data, options, description, tip } = useMemo(() => {
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const max = counts.reduce((top, one) => (one.count > top.count ? one : top), counts[0] ?? { at: '', count: 0 });
    const shape: Omit<Options, 'width' | 'height'> = {
      legend: { show: false },
      // Bars are as wide as their bucket; the plot has only the start of each bucket.
      series: [
        {},
        {
          label,
          fill: SERIES_COLORS[0],
          stroke: SERIES_COLORS[0],
          width: 0,
          points: { show: false },
        },
      ],
      axes: [TIME_AXIS, { size: labelRoom, space: 24, incrs: WHOLE_STEPS, grid: { show: false } }],
      // The last bar starts at its x and needs the width of one bucket after it.
      scales: {
        x: { range: (_, min, max) => [min, max + stepSeconds] },
        y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
    };
    return {
      data: [counts.map(({ at }) => Date.parse(at) / 1_000), counts.map(({ count }) => count)] as [number[], number[]],
      options: shape,
      tip: (index: number) =>
        counts
          .slice(index, index + 1)
          .map(({ at, count }) => PARTS_TEXT.series.value(momentText(new Date(at)), String(count))),
      description:
        total === 0
          ? PARTS_TEXT.histogram.empty(countText(0))
          : PARTS_TEXT.histogram.description(
              countText(total),
              max.count,
              momentText(new Date(max.at)),
              stepText(stepSeconds),
            ),
    };
  }, [counts, stepSeconds, label, countText]);
  return (
    <div style={{ minHeight: height, marginBottom: 6 }}>
      <Suspense fallback={<Loader size="sm" aria-label={PARTS_TEXT.loadingPlot} />}>
        <Bars
          description={description}
          data={data}
          options={options}
          tip={tip}
          height={height}
          {...(onSelect && {
            onSelect: (from: number, to: number) => onSelect(timeOf(from), timeOf(to)),
          })}
        />
      </Suspense>
    </div>
  );
}

function timeOf(seconds: number): string {
  return new Date(Math.round(seconds * 1_000)).toISOString();
}

export function stepText(seconds: number): string {
  if (seconds >= 86_400) return `${seconds / 86_400} d`;
  if (seconds >= 3_600) return `${seconds / 3_600} h`;
  return `${seconds / 60} min`;
}
