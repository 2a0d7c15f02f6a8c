import { expect, it } from 'vitest';
import { marksOf, namedForShard, rowsOfAll } from '#deploy/backup/questions.ts';

const lanes = (...rows: readonly (readonly [number, number])[]) => ({
  'last offset and events by partition': rows.map(([lane, last]) => ({
    name: 'events',
    lane: `${lane}`,
    last: `${last}`,
    events: '1',
  })),
  'rows of events': [{ rows: `${rows.length}` }],
});

it('keeps the answers of shards separate and reads them together', () => {
  const answers = { ...namedForShard(lanes([0, 7], [2, 9]), '1'), ...namedForShard(lanes([1, 8]), '2') };
  expect(Object.keys(answers)).toContain('rows of events in shard 2');
  expect(rowsOfAll(answers, 'rows of events')).toEqual([{ rows: '2' }, { rows: '1' }]);
  expect([...marksOf(answers, 'events')].sort()).toEqual([
    [0, 7],
    [1, 8],
    [2, 9],
  ]);
});

it('returns answers of one server without a shard', () => {
  expect(namedForShard(lanes([0, 7]), undefined)).toEqual(lanes([0, 7]));
  expect(rowsOfAll(lanes([0, 7]), 'rows of events')).toEqual([{ rows: '1' }]);
});
