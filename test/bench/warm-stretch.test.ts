import { expect, test } from 'vitest';
import { costOfStretch, rateOfStretch } from './warm-stretch.ts';

test('rate and cost cover the work between the marks', () => {
  const stretch = {
    from: { events: 200_000, atMs: 5_000, sample: { reader: 3 } },
    to: { events: 950_000, atMs: 8_000, sample: { reader: 4.5 } },
  };
  expect(rateOfStretch(stretch)).toBe(250_000);
  expect(costOfStretch(stretch, 'reader')).toBe(2);
});
