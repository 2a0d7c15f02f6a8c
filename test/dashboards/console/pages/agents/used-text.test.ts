import { expect, test } from 'vitest';
import { usedText } from '#dashboards/console/src/pages/agents/used-text.ts';

test('what a run used is told in words, one of it as one; its time is told elsewhere', () => {
  expect(usedText({ durationMs: 31, toolCalls: 1, inputTokens: 1_200, credits: 0.5 })).toEqual([
    '1 tool call',
    `${(1_200).toLocaleString()} input tokens`,
    '0.5 credits',
  ]);
  expect(usedText(null)).toEqual([]);
});
