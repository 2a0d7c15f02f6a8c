import { expect, test } from 'vitest';
import { completeUpTo, MAX_AGE_MS, mayReadReplica, type Sample, walPosition } from '#api/read-replica/freshness.ts';

test('orders positions of the write-ahead log across segments', () => {
  const positions = ['0/0', '0/FFFFFFFF', '1/0', '1/10', 'A/2', '10/0'].map(walPosition);
  expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(walPosition('16/B374D848')).toBe(0x16b374d848n);
});

test('a replica is complete up to the newest position that it has replayed', () => {
  const samples: Sample[] = [10n, 20n, 20n, 30n].map((position, index) => ({ at: index, position }));
  expect([9n, 10n, 19n, 20n, 29n, 99n].map((replayed) => completeUpTo(samples, replayed))).toEqual([
    undefined,
    0,
    0,
    2,
    2,
    3,
  ]);
});

test.each([
  ['up to date, the caller only reads', { completeUpTo: 100, now: 100 + MAX_AGE_MS, wroteLately: false }, true],
  ['too old', { completeUpTo: 100, now: 101 + MAX_AGE_MS, wroteLately: false }, false],
  ['the caller has just written', { completeUpTo: 100, now: 100, wroteLately: true }, false],
  ['nothing is known of the caller', { completeUpTo: 100, now: 100, wroteLately: undefined }, false],
  ['nothing is known of the replica', { completeUpTo: undefined, now: 100, wroteLately: false }, false],
] as const)('%s: %o', (_case, state, expected) => {
  expect(mayReadReplica(state)).toBe(expected);
});
