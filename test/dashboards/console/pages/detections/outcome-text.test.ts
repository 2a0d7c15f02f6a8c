import { expect, test } from 'vitest';
import { outcomeText } from '#dashboards/console/src/pages/detections/outcome-text.ts';

test.each([
  [['updated', 'updated'], '2 changed'],
  [['unchanged'], '0 changed, 1 already up to date'],
  [
    ['updated', 'changed_meanwhile', 'not_found'],
    '1 changed, 1 not found, 1 skipped: another user changed it, and it stays selected',
  ],
  [
    ['changed_meanwhile', 'changed_meanwhile'],
    '0 changed, 2 skipped: another user changed them, and they stay selected',
  ],
] as const)('the outcome %j reads %j', (outcomes, text) => {
  expect(outcomeText(outcomes.map((outcome) => ({ outcome })))).toBe(text);
});
