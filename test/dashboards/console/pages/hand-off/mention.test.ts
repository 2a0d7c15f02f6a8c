import { expect, test } from 'vitest';
import { openMention, withMention } from '#dashboards/console/src/pages/hand-off/mention.ts';

test.each([
  ['@', { text: '', from: 1, to: 1 }],
  ['ask @an', { text: 'an', from: 5, to: 7 }],
  ['(@a', { text: 'a', from: 2, to: 3 }],
  ['ann@ex', undefined],
  ['@ann ', undefined],
  ['plain', undefined],
])('finds the mention being typed in %j: %j', (text, expected) => {
  expect(openMention(text, text.length)).toEqual(expected);
});

test('completes a mention at the cursor', () => {
  const mention = openMention('ask @an and wait', 7);
  expect(mention && withMention('ask @an and wait', mention, 'annabel')).toEqual({
    text: 'ask @annabel and wait',
    caret: 13,
  });
  expect(mention && withMention('ask @an', mention, 'annabel').text).toBe('ask @annabel ');
});
