import { Loader } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { Options } from 'uplot';
import { labelRoom, WHOLE_STEPS } from './axis-labels.ts';
import { counted } from './counted.ts';
import { TIME_AXIS } from './time-axis.ts';

const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

export interface Count {
  /** Beginning of the bucket, RFC 3339. */
  readonly at: string;
  readonly count: number;
}

/**
 * How many there were over time, as bars. A range drawn with the mouse is handed on; who works by keyboard has the inputs of the range beside it.
 * `counts` must be the same array while it holds the same.
 */
export function CountHistogram({
  counts,
  stepSeconds,
  noun,
  height = 110,
  onSelect,
}: {
  readonly counts: readonly Count[];
  readonly stepSeconds: number;
  /** One of what is counted. */
  readonly noun: string;
  readonly height?: number;
  /** Ends of the range that was drawn, RFC 3339. */
  readonly onSelect?: (from: string, to: string) => void;
}) {
  const { data, options, description } = useMemo(() => {
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const most = counts.reduce((top, one) => (one.count > top.count ? one : top), counts[0] ?? { at: '', count: 0 });
    const shape: Omit<Options, 'width' | 'height'> = {
      legend: { show: false },
      // Bars are as wide as their bucket, of which the plot knows the beginnings alone.
      series: [{}, { label: `${noun}s`, fill: '#4c6ef5', stroke: '#4c6ef5', width: 0, points: { show: false } }],
      axes: [TIME_AXIS, { size: labelRoom, space: 24, incrs: WHOLE_STEPS, grid: { show: false } }],
      // The last bar begins at its x, and needs the room of a bucket after it.
      scales: {
        x: { range: (_, min, max) => [min, max + stepSeconds] },
        y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
    };
    return {
      data: [counts.map(({ at }) => Date.parse(at) / 1_000), counts.map(({ count }) => count)] as [number[], number[]],
      options: shape,
      description: `${counted(total, noun)} over time${total === 0 ? '' : `; the most, ${most.count}, from ${new Date(most.at).toLocaleString()} on for ${stepText(stepSeconds)}`}`,
    };
  }, [counts, stepSeconds, noun]);
  return (
    <div style={{ minHeight: height, marginBottom: 6 }}>
      <Suspense fallback={<Loader size="sm" aria-label="Loading the plot" />}>
        <Bars
          description={description}
          data={data}
          options={options}
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
