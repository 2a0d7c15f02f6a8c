import { expect, test } from 'vitest';
import {
  type ListView,
  orderOf,
  readDetectionSearch,
  sortedBy,
  splitSearch,
} from '#dashboards/console/src/pages/detections/list-view.ts';

test('reads filters and view from a search and ignores unknown parameters', () => {
  const search = readDetectionSearch({ status: 'new', sort: 'severity', order: 'up', group: 'hostname' });
  expect(search).toEqual({ status: 'new', sort: 'severity', group: 'hostname' });
  expect(splitSearch(search)).toEqual({ filters: { status: 'new' }, view: { sort: 'severity', group: 'hostname' } });
});

test('a column sorts in its default direction first, then in reverse', () => {
  const steps: ListView[] = [{ group: 'rule' }];
  for (const sort of ['host', 'host', 'crashes', 'crashes', 'lastSeen', 'lastSeen'] as const)
    steps.push(sortedBy(steps.at(-1) ?? {}, sort));
  expect(steps.slice(1).map((view) => [view.sort, view.order, orderOf(view), view.group])).toEqual([
    ['host', undefined, 'asc', 'rule'],
    ['host', 'desc', 'desc', 'rule'],
    ['crashes', undefined, 'desc', 'rule'],
    ['crashes', 'asc', 'asc', 'rule'],
    [undefined, undefined, 'desc', 'rule'],
    [undefined, 'asc', 'asc', 'rule'],
  ]);
});
