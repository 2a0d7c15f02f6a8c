import { Group, Loader, SegmentedControl, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type UPlot from 'uplot';
import type { Options } from 'uplot';
import { BINARY_STEPS, labelRoom } from '../../parts/axis-labels.ts';
import { counted } from '../../parts/counted.ts';
import { TIME_AXIS } from '../../parts/time-axis.ts';
import type { CrashPoint, HiddenCrashes, PointerView } from './pointer-view.ts';

const Plot = lazy(async () => ({ default: (await import('../../parts/plot.tsx')).Plot }));

const SCALES = [
  { value: 'values', label: 'Addresses' },
  { value: 'mapping', label: 'Whole mapping' },
];
const POINTS = '#4c6ef5';
const HIDDEN = '#e8590c';

/** The register over time, against the mapping it points into; crashes the kernel did not log are bands with their number. */
export function PointerPlot({ view, register }: { readonly view: PointerView; readonly register: string }) {
  const { points, crashes, hidden, mapping, base, elsewhere } = view;
  const [scale, setScale] = useState('values');
  const whole = scale === 'mapping' && mapping !== undefined;
  const { data, options } = useMemo(() => plotOf(view, whole), [view, whole]);
  const held = hidden.reduce((sum, { count }) => sum + count, 0);
  const from = base === null ? 'the beginning of the mapping' : base;
  return (
    <>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" c="dimmed">
          Offset of {register} from {from}
          {mapping !== undefined && `, ${mapping.file ?? 'a mapping without a name'}, ${sizeText(mapping.size)}`}
          {mapping !== undefined && mapping.places > 1 && `, mapped at ${mapping.places} places`}
        </Text>
        {mapping !== undefined && (
          <SegmentedControl
            size="xs"
            data={SCALES}
            value={scale}
            onChange={setScale}
            aria-label="What the plot shows"
          />
        )}
      </Group>
      <Suspense fallback={<Loader size="sm" aria-label="Loading the plot" />}>
        <Plot description={describe(points, crashes, held, register)} data={data} options={options} height={280} />
      </Suspense>
      <Text size="xs" c="dimmed">
        ● trap line, ○ fatal signal
        {held > 0 && `, ▨ some time in it ${counted(held, 'crash', 'crashes')} that the kernel did not log`}
        {elsewhere > 0 && `; elsewhere, and in the table alone: ${counted(elsewhere, 'crash', 'crashes')}`}
      </Text>
    </>
  );
}

function plotOf({ points, hidden, mapping }: PointerView, whole: boolean) {
  const offsets = (kind: CrashPoint['kind']) => points.map((point) => (point.kind === kind ? point.offset : null));
  const all = points.map(({ offset }) => offset);
  const low = whole ? 0 : all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = whole ? (mapping?.size ?? 0) : all.reduce((a, b) => Math.max(a, b), 0);
  const room = Math.max((high - low) * 0.06, 2);
  const begin = Math.min(...points.map(({ seconds }) => seconds), ...hidden.map(({ from }) => from));
  const end = Math.max(...points.map(({ seconds }) => seconds), ...hidden.map(({ to }) => to));
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
    // Milliseconds count: an attack is over in seconds.
    series: [{}, series('trap line', true), series('fatal signal', false)],
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
      // Numbers of hidden crashes stand above the points.
      y: { range: [low - room, high + room * (hidden.length > 0 ? 3 : 1)] },
    },
    hooks: {
      drawAxes: [
        (plot) => {
          for (const band of hidden) drawHidden(plot, band);
          if (mapping !== undefined) drawEdges(plot, mapping.size);
        },
      ],
      draw: [
        (plot) => {
          for (const band of hidden) drawCount(plot, band);
        },
      ],
    },
  };
  return {
    data: [points.map(({ seconds }) => seconds), offsets('trap'), offsets('signal')] as UPlot.AlignedData,
    options,
  };
}

/** A hatched band: in it crashes were not logged. */
function drawHidden(plot: UPlot, { from, to }: HiddenCrashes): void {
  const { ctx, bbox } = plot;
  const left = plot.valToPos(from, 'x', true);
  const right = Math.max(plot.valToPos(to, 'x', true), left + 3 * devicePixelRatio);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, right - left, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.12;
  ctx.fillStyle = HIDDEN;
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.globalAlpha = 0.45;
  ctx.strokeStyle = HIDDEN;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - bbox.height; x < right; x += 10 * devicePixelRatio) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}

function drawCount(plot: UPlot, { from, to, count }: HiddenCrashes): void {
  const { ctx, bbox } = plot;
  const middle = (plot.valToPos(from, 'x', true) + plot.valToPos(to, 'x', true)) / 2;
  ctx.save();
  ctx.fillStyle = getComputedStyle(plot.root).color;
  ctx.textAlign = 'left';
  ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
  const text = `≥ ${count} hidden`;
  const { width } = ctx.measureText(text);
  const left = Math.min(Math.max(middle - width / 2, bbox.left + 4), bbox.left + bbox.width - width - 4);
  ctx.fillText(text, left, bbox.top + 14 * devicePixelRatio);
  ctx.restore();
}

/** Both ends of the mapping, where they are in sight. */
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

function describe(points: readonly CrashPoint[], crashes: number, held: number, register: string): string {
  const offsets = points.map(({ offset }) => offset);
  const [low, high] = [Math.min(...offsets), Math.max(...offsets)];
  const hidden = held > 0 ? `; crashes that were not logged: at least ${held}` : '';
  return `${register} in ${counted(crashes, 'crash', 'crashes')}, at offsets from 0x${low.toString(16)} to 0x${high.toString(16)}${hidden}. The table below has them all.`;
}

function sizeText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`;
  return bytes >= 1_024 ? `${Number((bytes / 1_024).toPrecision(3))} KiB` : counted(bytes, 'byte');
}
