import { expect, test } from 'vitest';
import { compareDetections } from '#analytics/detections/backtest/compare-detections.ts';
import type { Detection } from '#schemas/detection.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';

const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}.000000000Z`;
const found = (id: string, from: number, to: number, over: Partial<Detection> = {}) =>
  detection({ id, firstSeen: at(from), lastSeen: at(to), ...over });
const ids = (detections: readonly Detection[]) => detections.map(({ id }) => id);
const idsOf = (current: Detection[], proposed: Detection[]) => {
  const { added, removed, changed } = compareDetections(current, proposed);
  return {
    added: ids(added),
    removed: ids(removed),
    changed: changed.map(({ before, after }) => [ids(before), ids(after)]),
  };
};
const NOTHING = { added: [], removed: [], changed: [] };

test('equal detections do not differ', () => {
  expect(idsOf([found('a', 0, 9)], [found('a', 0, 9)])).toEqual(NOTHING);
});

test('an episode that begins later is changed, neither new nor missed', () => {
  expect(idsOf([found('a', 0, 9)], [found('b', 3, 9)])).toEqual({ ...NOTHING, changed: [[['a'], ['b']]] });
});

test('another severity or count of the same detection is a change', () => {
  const critical = found('a', 0, 9, { severity: 'critical' });
  expect(idsOf([found('a', 0, 9)], [critical])).toEqual({ ...NOTHING, changed: [[['a'], ['a']]] });
});

test('a split episode is one change, and so is a joined one', () => {
  const whole = found('a', 0, 50);
  const parts = [found('a', 0, 20), found('b', 30, 50)];
  expect(idsOf([whole], parts)).toEqual({ ...NOTHING, changed: [[['a'], ['a', 'b']]] });
  expect(idsOf(parts, [whole])).toEqual({ ...NOTHING, changed: [[['a', 'b'], ['a']]] });
});

test.each<[string, Partial<Detection>]>([
  ['host', { hostname: 'edge-2' }],
  ['program', { procname: 'httpd' }],
  ['register', { register: 'RDI' }],
  ['time', { firstSeen: at(20), lastSeen: at(30) }],
])('another %s is another episode', (_, over) => {
  expect(idsOf([found('a', 0, 9)], [found('b', 3, 9, over)])).toEqual({ added: ['b'], removed: ['a'], changed: [] });
});
