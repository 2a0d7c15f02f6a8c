import { expect, test } from 'vitest';
import { bytesText, countText, millisText } from '#dashboards/console/src/pages/dashboard/quantities.ts';

test('formats quantities in readable units', () => {
  expect([0, 1_023, 1_024, 1_536, 200 * 2 ** 20, 2 ** 42].map(bytesText)).toEqual([
    '0 B',
    '1023 B',
    '1 KiB',
    '1.5 KiB',
    '200 MiB',
    '4 TiB',
  ]);
  expect([0.26, 999, 1_500, 119_000, 600_000, 10_800_000].map(millisText)).toEqual([
    '0.3 ms',
    '999 ms',
    '1.5 s',
    '119 s',
    '10 min',
    '3 h',
  ]);
  expect([0.2, 9_999, 12_345, 2_000_000].map(countText)).toEqual(['0.2', '9,999', '12.3K', '2M']);
});
