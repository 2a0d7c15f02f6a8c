import { expect, test } from 'vitest';
import { chooseLanguage } from '#dashboards/console/src/language/languages.ts';

test.each([
  [null, ['de-AT', 'en'], 'de', 'de-AT'],
  [null, ['fr-FR', 'de', 'en'], 'de', 'de'],
  [null, ['DE-ch'], 'de', 'DE-ch'],
  [null, ['fr'], 'en', 'en'],
  [null, [], 'en', 'en'],
  ['en', ['de-DE', 'en-GB'], 'en', 'en-GB'],
  ['de', ['en-US'], 'de', 'de'],
  ['tlh', ['de'], 'de', 'de'],
  ['toString', ['en-US'], 'en', 'en-US'],
])('chooses from %s and browser languages %j: %s with formats of %s', (kept, preferred, language, locale) => {
  expect(chooseLanguage(kept, preferred)).toEqual({ language, locale });
});
