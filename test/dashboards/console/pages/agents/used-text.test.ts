import { expect, test } from 'vitest';
import { usedText } from '#dashboards/console/src/pages/agents/used-text.ts';

test('describes the usage of a run with singular forms and without the duration', () => {
  expect(usedText({ durationMs: 31, toolCalls: 1, inputTokens: 1_200, credits: 0.5 })).toEqual([
    '1 tool call',
    `${(1_200).toLocaleString()} input tokens`,
    '0.5 credits',
  ]);
  expect(usedText(null)).toEqual([]);
});
