import { expect, test } from 'vitest';
import { countedText } from '#dashboards/console/src/pages/dashboard/quantities.ts';
import { counted } from '#dashboards/console/src/parts/counted.ts';

test('uses the singular for one', () => {
  expect([0, 1, 2_000].map((count) => counted(count, 'event'))).toEqual(['0 events', '1 event', '2,000 events']);
  expect([1, 2].map((count) => counted(count, 'crash', 'crashes'))).toEqual(['1 crash', '2 crashes']);
  expect([1, 12_345].map((count) => countedText(count, 'detection'))).toEqual(['1 detection', '12.3K detections']);
});
