import { expect, test } from 'vitest';
import { outcomeText } from '#dashboards/console/src/pages/detections/outcome-text.ts';

test.each([
  [['updated', 'updated'], '2 changed'],
  [['unchanged'], '0 changed, 1 were so already'],
  [
    ['updated', 'changed_meanwhile', 'not_found'],
    '1 changed, 1 are not there any more, 1 left alone: somebody else decided about them meanwhile, and they stay selected',
  ],
] as const)('%j is said as %j', (outcomes, text) => {
  expect(outcomeText(outcomes.map((outcome) => ({ outcome })))).toBe(text);
});
