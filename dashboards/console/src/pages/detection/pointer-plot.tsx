import { Group, Loader, SegmentedControl, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type UPlot from 'uplot';
import type { Options } from 'uplot';
import { BINARY_STEPS, labelRoom } from '../../parts/axis-labels.ts';
import { TIME_AXIS } from '../../parts/time-axis.ts';
import type { CrashPoint, PointerView, UnloggedCrashes } from './pointer-view.ts';
import { DETECTION_TEXT } from './text.ts';

const Plot = lazy(async () => ({ default: (await import('../../parts/plot.tsx')).Plot }));

const TEXT = DETECTION_TEXT.plot;
const SCALES = [
  { value: 'values', label: TEXT.scales.values },
  { value: 'mapping', label: TEXT.scales.mapping },
];
const POINTS = '#4c6ef5';
const UNLOGGED = '#e8590c';

/** The register over time, against the mapping it points into. Bands show periods with crashes that the kernel did not log. */
export function PointerPlot({ view, register }: { readonly view: PointerView; readonly register: string }) {
  const { points, crashes, unlogged, mapping, base, elsewhere } = view;
  const [scale, setScale] = useState('values');
  const whole = scale === 'mapping' && mapping !== undefined;
  const { data, options } = useMemo(() => plotOf(view, whole), [view, whole]);
  const unloggedCrashes = unlogged.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" c="dimmed">
          {[
            TEXT.offset(register, base),
            ...(mapping === undefined ? [] : [mapping.file ?? TEXT.unnamedMapping, sizeText(mapping.size)]),
            ...(mapping !== undefined && mapping.places > 1 ? [TEXT.places(mapping.places)] : []),
          ].join(', ')}
        </Text>
        {mapping !== undefined && (
          <SegmentedControl size="xs" data={SCALES} value={scale} onChange={setScale} aria-label={TEXT.scale} />
        )}
      </Group>
      <Suspense fallback={<Loader size="sm" aria-label={TEXT.loading} />}>
        <Plot
          description={describe(points, crashes, unloggedCrashes, register)}
          data={data}
          options={options}
          height={280}
        />
      </Suspense>
      <Group gap="md" mt={8}>
        {[
          TEXT.trap,
          TEXT.signal,
          ...(unloggedCrashes > 0 ? [TEXT.unloggedPeriod(unloggedCrashes)] : []),
          ...(elsewhere > 0 ? [TEXT.elsewhere(elsewhere, mapping !== undefined)] : []),
        ].map((entry) => (
          <Text key={entry} size="xs" c="dimmed">
            {entry}
          </Text>
        ))}
      </Group>
    </>
  );
}

function plotOf({ points, unlogged, mapping }: PointerView, whole: boolean) {
  const offsets = (kind: CrashPoint['kind']) => points.map((point) => (point.kind === kind ? point.offset : null));
  const all = points.map(({ offset }) => offset);
  const low = whole ? 0 : all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = whole ? (mapping?.size ?? 0) : all.reduce((a, b) => Math.max(a, b), 0);
  const room = Math.max((high - low) * 0.06, 2);
  const begin = Math.min(...points.map(({ seconds }) => seconds), ...unlogged.map(({ from }) => from));
  const end = Math.max(...points.map(({ seconds }) => seconds), ...unlogged.map(({ to }) => to));
  const aside = Math.max((end - begin) * 0.03, 0.05);
  const series = (label: string, filled: boolean) => ({
    label,
    paths: () => null,
    stroke: POINTS,
    points: { show: true, size: 7, stroke: POINTS, fill: filled ? POINTS : 'transparent', width: 1.5 },
  });
  const options: Omit<Options, 'width' | 'height'> = {
    legend: { show: false },
    cursor: { show: false },
    series: [{}, series(TEXT.trap, true), series(TEXT.signal, false)],
    axes: [
      TIME_AXIS,
      {
        size: labelRoom,
        incrs: BINARY_STEPS,
        values: (_, splits) => splits.map((at) => `+0x${Math.round(at).toString(16)}`),
      },
    ],
    scales: {
      x: { time: true, range: [begin - aside, end + aside] },
      // Room for the numbers of unlogged crashes above the points.
      y: { range: [low - room, high + room * (unlogged.length > 0 ? 3 : 1)] },
    },
    hooks: {
      drawAxes: [
        (plot) => {
          for (const band of unlogged) drawUnlogged(plot, band);
          if (mapping !== undefined) drawEdges(plot, mapping.size);
        },
      ],
      draw: [
        (plot) => {
          for (const band of unlogged) drawCount(plot, band);
        },
      ],
    },
  };
  return {
    data: [points.map(({ seconds }) => seconds), offsets('trap'), offsets('signal')] as UPlot.AlignedData,
    options,
  };
}

/** A hatched band for a period with unlogged crashes. */
function drawUnlogged(plot: UPlot, { from, to }: UnloggedCrashes): void {
  const { ctx, bbox } = plot;
  const left = plot.valToPos(from, 'x', true);
  const right = Math.max(plot.valToPos(to, 'x', true), left + 3 * devicePixelRatio);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, right - left, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.12;
  ctx.fillStyle = UNLOGGED;
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.globalAlpha = 0.45;
  ctx.strokeStyle = UNLOGGED;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - bbox.height; x < right; x += 10 * devicePixelRatio) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}

function drawCount(plot: UPlot, { from, to, count }: UnloggedCrashes): void {
  const { ctx, bbox } = plot;
  const middle = (plot.valToPos(from, 'x', true) + plot.valToPos(to, 'x', true)) / 2;
  ctx.save();
  ctx.fillStyle = getComputedStyle(plot.root).color;
  ctx.textAlign = 'left';
  ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
  const text = TEXT.unloggedLabel(count);
  const { width } = ctx.measureText(text);
  const left = Math.min(Math.max(middle - width / 2, bbox.left + 4), bbox.left + bbox.width - width - 4);
  ctx.fillText(text, left, bbox.top + 14 * devicePixelRatio);
  ctx.restore();
}

/** Both ends of the mapping, if they are within the plot. */
function drawEdges(plot: UPlot, size: number): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = getComputedStyle(plot.root).color;
  ctx.globalAlpha = 0.6;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const edge of [0, size]) {
    const y = plot.valToPos(edge, 'y', true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** Description of the plot for screen readers. */
function describe(points: readonly CrashPoint[], crashes: number, unlogged: number, register: string): string {
  const offsets = points.map(({ offset }) => offset);
  const [low, high] = [Math.min(...offsets), Math.max(...offsets)];
  return [
    TEXT.summary(register, crashes, `0x${low.toString(16)}`, `0x${high.toString(16)}`),
    unlogged > 0 ? TEXT.unlogged(unlogged) : '',
    TEXT.table,
  ].join('');
}

function sizeText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`;
  return bytes >= 1_024 ? `${Number((bytes / 1_024).toPrecision(3))} KiB` : TEXT.bytes(bytes);
}
