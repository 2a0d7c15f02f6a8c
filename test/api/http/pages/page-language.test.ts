import { expect, test } from 'vitest';
import { pageLanguage } from '#api/http/pages/page-language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,de;q=0.9', 'en'],
  ['fr-FR, DE; q=0.4, en; q=0.7', 'en'],
  ['fr,de;q=0.1', 'de'],
  ['de;q=0', 'en'],
  ['de;q=x,*', 'en'],
  ['fr', 'en'],
])('for the preference %j the pages have %s', (preference, language) => {
  expect(pageLanguage({ headers: { 'accept-language': preference } })).toBe(language);
});
