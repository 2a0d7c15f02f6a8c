import { expect, test } from 'vitest';
import { MAX_MENTIONS, mentionsOf } from '#api/cases/comments/mentions.ts';

test.each([
  ['@ann please look, @bob-2 too', ['ann', 'bob-2']],
  ['(@ann), @ANN. @bob!', ['ANN', 'bob']],
  ['mail ann@example.org or @ann@example.org, see /@ann and a@b', []],
  ['`@ann` and\n```\n@bob\n```\n@eve', ['eve']],
  ['``` @ann', []],
  ['@no @toolong-abcdefghijklmnopqrstuvwxyz-0123', []],
  ['', []],
])('%j mentions %j', (text, names) => {
  // If a name is spelled in two ways, the last spelling wins.
  expect(mentionsOf(text).map((name) => name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()));
});

test('a comment mentions a limited number of accounts', () => {
  const text = Array.from({ length: 50 }, (_, index) => `@user-${index}`).join(' ');
  expect(mentionsOf(text)).toHaveLength(MAX_MENTIONS);
});
