import { expect, test } from 'vitest';
import {
  EMPTY_TALLY,
  MAX_REPORTED,
  type RedriveOutcome,
  tallied,
} from '#dashboards/console/src/pages/dead-letters/redrive-tally.ts';

const page = (count: number, outcome: RedriveOutcome, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `events.v1~0~${from + at}`, outcome }));

test('counts every result across pages', () => {
  const first = tallied(EMPTY_TALLY, [...page(3, 'accepted'), ...page(1, 'rejected', 3)]);
  const second = tallied(first, page(2, 'rejected', 4));
  expect(second).toMatchObject({ total: 6, counts: { accepted: 3, rejected: 3 } });
  expect(second.reported.map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 3 }, () => 'rejected'),
    ...Array.from({ length: 3 }, () => 'accepted'),
  ]);
});

test('limits the list of results, with rejected ones first', () => {
  let tally = EMPTY_TALLY;
  for (let at = 0; at < 20; at += 1) tally = tallied(tally, page(250, 'accepted', at * 250));
  tally = tallied(tally, page(2, 'rejected', 5_000));
  expect(tally.total).toBe(5_002);
  expect(tally.reported).toHaveLength(MAX_REPORTED);
  expect(tally.reported.slice(0, 3).map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'accepted']);
});
