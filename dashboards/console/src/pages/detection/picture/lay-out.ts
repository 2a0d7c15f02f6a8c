import { durationText } from '../story.ts';
import { DETECTION_TEXT } from '../text.ts';
import { linearTicks } from './linear-ticks.ts';
import { markPath, SMALL_RADIUS } from './mark-path.ts';
import type { LaneAxis, LinearAxis, Mark, PictureModel } from './picture-model.ts';
import { type PlacedLabel, spreadLabels } from './spread-labels.ts';
import { dayText, tickText } from './time-labels.ts';
import { type TimeScale, timeScale, timeTicks } from './time-scale.ts';

/** Returns the width of a text, px. */
type Measure = (text: string) => number;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface PlacedMark {
  readonly x: number;
  readonly y: number;
  readonly mark: Mark;
}

/** A picture with the positions of all elements, px. */
export interface PictureLayout {
  readonly height: number;
  readonly plot: Box;
  /** Labels of the vertical axis. `line`: true for a line across the picture. */
  readonly rows: readonly {
    readonly y: number;
    readonly text: string;
    readonly whole: string;
    readonly line: boolean;
  }[];
  readonly marks: readonly PlacedMark[];
  readonly paths: readonly { readonly shape: Mark['shape']; readonly d: string }[];
  readonly bands: readonly { readonly left: number; readonly width: number }[];
  readonly bandLabels: readonly { readonly text: string; readonly left: number; readonly top: number }[];
  readonly references: readonly {
    readonly y: number;
    readonly text: string;
    readonly label: { readonly left: number; readonly top: number } | undefined;
  }[];
  readonly breaks: readonly {
    readonly left: number;
    readonly right: number;
    readonly text: string;
    readonly title: string;
  }[];
  readonly ticks: readonly { readonly x: number; readonly left: number; readonly text: string }[];
  readonly days: readonly { readonly left: number; readonly text: string }[];
}

const PLOT_PX = 220;
const LANE_PX = 26;
/** Minimum distance of labels on the vertical axis. */
const ROW_SPACE_PX = 30;
const LINE_PX = 16;
const EDGE_PX = 12;
const GUTTER_PX = 16;
/** Maximum share of the width for lane names. */
const NAME_SHARE = 0.34;
const MAX_NAME_PX = 220;
const BAND_LABEL_ROWS = 2;
const MIN_BAND_PX = 3;
const LABEL_GAP_PX = 8;
const MANY_MARKS = 300;

/**
 * Computes the positions of all elements for a picture that is `width` px wide. Labels never overlap: those without
 * space are omitted, and appear in tooltips or the legend.
 */
export function layOut(model: PictureModel, width: number, measure: Measure): PictureLayout {
  const { axis, bands } = model;
  const top = EDGE_PX + (bands.length > 0 ? BAND_LABEL_ROWS * LINE_PX : 0);
  const height = axis.kind === 'lanes' ? Math.max(axis.names.length, 2) * LANE_PX : PLOT_PX;
  const vertical = axis.kind === 'lanes' ? laneRows(axis, top, width, measure) : linearRows(axis, top, height);
  const gutter = Math.max(...vertical.rows.map(({ text }) => measure(text))) + GUTTER_PX;
  const plot = { left: gutter, top, width: Math.max(width - gutter - EDGE_PX, 40), height };
  const times = [...model.marks.map(({ seconds }) => seconds), ...bands.flatMap(({ from, to }) => [from, to])];
  const scale = timeScale(times, plot.width);
  const x = (seconds: number) => plot.left + scale.x(seconds);
  const marks = model.marks.map((mark) => ({ x: x(mark.seconds), y: vertical.y(mark.y), mark }));
  const floor = axis.kind === 'linear' ? vertical.y(Math.max(0, axis.low)) : plot.top + height;
  return {
    height: top + height + 2 * LINE_PX + EDGE_PX,
    plot,
    rows: vertical.rows,
    marks,
    paths: pathsOf(marks, floor),
    bands: bands.map(({ from, to }) => ({ left: x(from), width: Math.max(x(to) - x(from), MIN_BAND_PX) })),
    bandLabels: bandLabels(bands, x, plot, measure),
    references: referenceLabels(model.references, vertical.y, plot, measure),
    breaks: scale.breaks.map(({ left, right, seconds }) => {
      const duration = durationText(seconds);
      const text = measure(duration) < height - LABEL_GAP_PX ? duration : '';
      return { left: plot.left + left, right: plot.left + right, text, title: DETECTION_TEXT.picture.pause(duration) };
    }),
    ...timeLabels(scale, plot, measure),
  };
}

interface Vertical {
  readonly rows: PictureLayout['rows'];
  y(value: number): number;
}

function linearRows({ low, high, steps, label }: LinearAxis, top: number, height: number): Vertical {
  const y = (value: number) => top + height - ((value - low) / (high - low)) * height;
  const rows = linearTicks({ low, high, steps }, height, ROW_SPACE_PX).map((value) => {
    const text = label(value);
    return { y: y(value), text, whole: text, line: true };
  });
  return { rows: rows.length > 0 ? rows : [{ y: y(low), text: label(low), whole: label(low), line: true }], y };
}

function laneRows({ names }: LaneAxis, top: number, width: number, measure: Measure): Vertical {
  const y = (lane: number) => top + (lane + 0.5) * LANE_PX;
  const most = Math.min(width * NAME_SHARE, MAX_NAME_PX);
  const rows = names.map((whole, lane) => ({ y: y(lane), text: shortened(whole, most, measure), whole, line: true }));
  return { rows, y };
}

/**
 * Returns the text, without its middle if it is wider than `most` px. The end of a name distinguishes it as much as its
 * beginning.
 */
export function shortened(text: string, most: number, measure: Measure): string {
  if (measure(text) <= most) return text;
  const letters = [...text];
  for (let kept = letters.length - 1; kept > 2; kept -= 1) {
    const short = `${letters.slice(0, Math.ceil(kept / 2)).join('')}…${letters.slice(-Math.floor(kept / 2)).join('')}`;
    if (measure(short) <= most) return short;
  }
  return '…';
}

function pathsOf(marks: readonly PlacedMark[], floor: number): PictureLayout['paths'] {
  const shapes = [...new Set(marks.map(({ mark }) => mark.shape))];
  return shapes.map((shape) => ({
    shape,
    d: marks
      .filter(({ mark }) => mark.shape === shape)
      .map(({ x, y }) => markPath(shape, x, y, floor, marks.length > MANY_MARKS ? SMALL_RADIUS : undefined))
      .join(''),
  }));
}

function bandLabels(
  bands: PictureModel['bands'],
  x: (seconds: number) => number,
  plot: Box,
  measure: Measure,
): PictureLayout['bandLabels'] {
  const labels = bands.map(({ from, to, label }) => ({
    text: label,
    center: (x(from) + x(to)) / 2,
    width: measure(label),
  }));
  const right = plot.left + plot.width;
  return spreadLabels(labels, { left: plot.left, right, rows: BAND_LABEL_ROWS }).map(
    ({ text, left, row }: PlacedLabel) => ({ text, left, top: EDGE_PX + row * LINE_PX }),
  );
}

function referenceLabels(
  references: PictureModel['references'],
  y: (value: number) => number,
  plot: Box,
  measure: Measure,
): PictureLayout['references'] {
  const taken: number[] = [];
  return references.map(({ y: value, label: text }) => {
    const line = y(value);
    const above = line - 5;
    const top = above - LINE_PX < plot.top ? line + LINE_PX - 3 : above;
    const hasRoom = taken.every((other) => Math.abs(other - top) >= LINE_PX);
    if (hasRoom) taken.push(top);
    const left = Math.max(plot.left + plot.width - measure(text) - 4, plot.left + 4);
    return { y: line, text, label: hasRoom ? { left, top } : undefined };
  });
}

function timeLabels(scale: TimeScale, plot: Box, measure: Measure): Pick<PictureLayout, 'ticks' | 'days'> {
  const edge = plot.left + plot.width + EDGE_PX;
  let end = Number.NEGATIVE_INFINITY;
  const ticks = timeTicks(scale, measure('00:00:00.0') + 2 * LABEL_GAP_PX).flatMap((tick) => {
    const at = plot.left + scale.x(tick.at);
    const text = tickText(tick);
    const width = measure(text);
    const left = Math.min(Math.max(at - width / 2, 0), edge - width);
    if (left < end + LABEL_GAP_PX) return [];
    end = left + width;
    return [{ x: at, left, text }];
  });
  let endOfDay = Number.NEGATIVE_INFINITY;
  let previous = '';
  const days = scale.segments.flatMap(({ from, left: segment }) => {
    const text = dayText(from);
    const left = Math.min(plot.left + segment, edge - measure(text));
    if (text === previous || left < endOfDay + LABEL_GAP_PX) return [];
    previous = text;
    endOfDay = left + measure(text);
    return [{ left, text }];
  });
  return { ticks, days };
}
