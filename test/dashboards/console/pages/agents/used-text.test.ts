import { expect, test } from 'vitest';
import { usedText } from '#dashboards/console/src/pages/agents/used-text.ts';

test('the usage of a run is text, with the singular for one; the duration is not part of it', () => {
  expect(usedText({ durationMs: 31, toolCalls: 1, inputTokens: 1_200, credits: 0.5 })).toEqual([
    '1 tool call',
    `${(1_200).toLocaleString()} input tokens`,
    '0.5 credits',
  ]);
  expect(usedText(null)).toEqual([]);
});
