import { expect, test } from 'vitest';
import { layOut, shortened } from '#dashboards/console/src/pages/detection/picture/lay-out.ts';
import type { PictureModel } from '#dashboards/console/src/pages/detection/picture/picture-model.ts';
import { spreadLabels } from '#dashboards/console/src/pages/detection/picture/spread-labels.ts';

/** Measures text in pixels, with 7 px for each letter. */
const measure = (text: string) => text.length * 7;
const WIDTHS = [292, 360, 700];

const model = (over: Partial<PictureModel>): PictureModel => ({
  title: 't',
  axis: { kind: 'linear', low: 0, high: 100, steps: [1, 10, 20, 50], label: (value) => `+0x${value}` },
  marks: Array.from({ length: 30 }, (_, index) => ({
    seconds: 1_770_000_000 + index * 7,
    y: index * 3,
    shape: 'dot',
    lines: [],
  })),
  bands: [],
  references: [],
  legend: [],
  summary: 's',
  ...over,
});

/** Returns the pairs of labels that overlap. */
function collisions(labels: readonly { readonly text: string; readonly left: number; readonly top: number }[]) {
  return labels.flatMap((a, index) =>
    labels
      .slice(index + 1)
      .filter(
        (b) => Math.abs(a.top - b.top) < 14 && a.left < b.left + measure(b.text) && b.left < a.left + measure(a.text),
      )
      .map((b) => [a.text, b.text]),
  );
}

test.each(WIDTHS)('labels do not overlap or leave a picture of %i px', (width) => {
  const bands = Array.from({ length: 6 }, (_, index) => ({
    from: 1_770_000_000 + index * 9,
    to: 1_770_000_004 + index * 9,
    label: `≥ ${100 + index} unlogged`,
  }));
  const references = [
    { y: 90, label: '896 on average' },
    { y: 92, label: '900 on average' },
    { y: 20, label: '1,792 at most (7 × 256)' },
  ];
  const layout = layOut(model({ bands, references }), width, measure);
  const { plot, ticks, days, bandLabels, rows } = layout;
  const bottom = plot.top + plot.height;
  const notes = layout.references.flatMap(({ text, label }) => (label === undefined ? [] : [{ text, ...label }]));
  const labels = [
    ...ticks.map((tick) => ({ ...tick, top: bottom + 18 })),
    ...days.map((day) => ({ ...day, top: bottom + 34 })),
    ...bandLabels,
    ...notes,
    ...rows.map(({ text, y }) => ({ text, left: plot.left - 8 - measure(text), top: y })),
  ];
  expect(ticks.length).toBeGreaterThan(0);
  expect(bandLabels.length).toBeGreaterThan(0);
  expect(collisions(labels)).toEqual([]);
  for (const { text, left } of labels) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left + measure(text)).toBeLessThanOrEqual(width);
  }
});

test('omits labels without room and keeps the distance of the others', () => {
  const labels = [10, 12, 14, 300].map((center) => ({ text: 'label', center, width: 40 }));
  const placed = spreadLabels(labels, { left: 0, right: 320, rows: 2 });
  expect(placed.map(({ left, row }) => [left, row])).toEqual([
    [0, 0],
    [0, 1],
    [280, 0],
  ]);
});

test('shortens lane names in the middle on a phone', () => {
  const names = ['a-host-with-a-long-name.fra1.example.net', 'a-host-with-a-long-name.fra2.example.net'];
  const { rows, plot } = layOut(model({ axis: { kind: 'lanes', names } }), 292, measure);
  expect(rows.map(({ whole }) => whole)).toEqual(names);
  for (const { text } of rows) expect(measure(text)).toBeLessThanOrEqual(292 * 0.34);
  expect(plot.width).toBeGreaterThan(150);
  expect(shortened('abcdefghij', 42, measure)).toBe('abc…ij');
});
