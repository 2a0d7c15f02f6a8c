import { Loader, useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { Options } from 'uplot';
import { PARTS_TEXT } from '../text.ts';
import { momentText } from '../time/time-words.ts';
import { CHART_COLORS, SERIES_COLORS } from '../tokens.ts';
import { labelRoom, WHOLE_STEPS } from './axis-labels.ts';
import { TIME_AXIS } from './time-axis.ts';

const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

export interface Count {
  /** Start of the bucket, RFC 3339. */
  readonly at: string;
  readonly count: number;
  /** Counts by the names of the parts. */
  readonly parts?: Readonly<Record<string, number>>;
}

/** A part of each count, shown as a segment of its bar. */
export interface CountPart {
  readonly name: string;
  readonly label: string;
  readonly color: { readonly light: string; readonly dark: string };
}

/**
 * Counts over time, as bars. Reports a time range selected with the mouse. Keyboard users have the range inputs of the
 * page. `counts` must be the same array between renderings if its content is unchanged.
 */
export function CountHistogram({
  counts,
  stepSeconds,
  label,
  countText,
  parts,
  height = 110,
  onSelect,
}: {
  readonly counts: readonly Count[];
  readonly stepSeconds: number;
  /** Name of the counted items, plural. */
  readonly label: string;
  /** Formats a number of them with the noun: `12 events`. */
  readonly countText: (count: number) => string;
  /**
   * Segments of the bars, from the base line up. Must be the same array between renderings. Default: bars in one
   * colour.
   */
  readonly parts?: readonly CountPart[];
  readonly height?: number;
  /** Ends of the selected range, RFC 3339. */
  readonly onSelect?: (from: string, to: string) => void;
}) {
  const scheme = useComputedColorScheme();
  const { data, options, description, tip } = useMemo(() => {
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const max = counts.reduce((top, one) => (one.count > top.count ? one : top), counts[0] ?? { at: '', count: 0 });
    const drawn = (parts ?? [{ name: '', label, color: PLAIN }]).toReversed();
    const shape: Omit<Options, 'width' | 'height'> = {
      legend: { show: false },
      // Bars are as wide as their bucket. The plot data contains only the start of each bucket.
      series: [{}, ...drawn.map(({ label, color }) => seriesOf(label, color[scheme]))],
      axes: [
        { ...TIME_AXIS, border: { show: true, stroke: CHART_COLORS[scheme].grid, width: 1 } },
        // Shows only the base line and the maximum.
        { size: labelRoom, incrs: WHOLE_STEPS, grid: { show: false }, splits: () => [0, Math.max(max.count, 1)] },
      ],
      // The last bar starts at its x value and needs the width of one bucket after it.
      scales: {
        x: { range: (_, min, max) => [min, max + stepSeconds] },
        y: { range: () => [0, Math.max(max.count, 1) * 1.08] },
      },
    };
    return {
      data: [counts.map(({ at }) => Date.parse(at) / 1_000), ...stacked(counts, parts)] as [number[], ...number[][]],
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
  }, [counts, stepSeconds, label, countText, parts, scheme]);
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

const PLAIN = { light: SERIES_COLORS[0], dark: SERIES_COLORS[0] } as const;

function seriesOf(label: string, color: string) {
  return { label, fill: color, stroke: color, width: 0, points: { show: false } };
}

/**
 * Returns the heights of the bars, the full heights first. Each series is drawn over the previous one and leaves its
 * upper part visible.
 */
export function stacked(counts: readonly Count[], parts: readonly Pick<CountPart, 'name'>[] | undefined): number[][] {
  if (parts === undefined) return [counts.map(({ count }) => count)];
  return parts
    .map((_, top) =>
      counts.map((one) => parts.slice(0, top + 1).reduce((sum, { name }) => sum + (one.parts?.[name] ?? 0), 0)),
    )
    .toReversed();
}

function timeOf(seconds: number): string {
  return new Date(Math.round(seconds * 1_000)).toISOString();
}

export function stepText(seconds: number): string {
  if (seconds >= 86_400) return `${seconds / 86_400} d`;
  if (seconds >= 3_600) return `${seconds / 3_600} h`;
  return `${seconds / 60} min`;
}
