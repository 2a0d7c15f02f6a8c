import { expect, test } from 'vitest';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { GERMAN } from '#dashboards/console/src/language/german.ts';
import { RULE_NAMES_TEXT } from '#dashboards/console/src/parts/rules/rule-names-text.ts';
import { englishCatalogues, isRecord, wordsOf } from '#test/support/console-catalogues.ts';
import { SAME_IN_GERMAN } from './same-in-german.ts';

const english = await englishCatalogues();
const german: Readonly<Record<string, unknown>> = GERMAN;

test('German has a text for every catalogue and no others', () => {
  expect(Object.keys(german).sort()).toEqual([...english.keys()].sort());
});

test('German has every key, and functions with the same number of parameters', () => {
  expect([...english].flatMap(([name, texts]) => differences(name, texts, german[name]))).toEqual([]);
});

test('no German text equals the English one, except the listed names', () => {
  expect([...english].flatMap(([name, texts]) => sameTexts(name, texts, german[name]))).toEqual([]);
});

test('every listed name is used', () => {
  const used = new Set([...english.values()].flatMap(wordsOf));
  expect(SAME_IN_GERMAN.filter((text) => !used.has(text))).toEqual([]);
});

test('the console and the rules use the same rule names', () => {
  const named = RULES.filter(({ id }) => id in RULE_NAMES_TEXT).map(({ id, name }) => [id, name]);
  expect(RULE_NAMES_TEXT).toEqual(Object.fromEntries(named));
});

/** Returns the places where `translated` and `text` differ in structure. */
function differences(place: string, text: unknown, translated: unknown): string[] {
  if (typeof text !== typeof translated) return [`${place}: ${typeof text} in English, ${typeof translated} in German`];
  if (typeof text === 'function' && typeof translated === 'function')
    return text.length === translated.length
      ? []
      : [`${place}: ${text.length} values in English, ${translated.length} in German`];
  if (!isRecord(text) || !isRecord(translated)) return [];
  const keys = new Set([...Object.keys(text), ...Object.keys(translated)]);
  return [...keys].flatMap((key) => differences(`${place}.${key}`, text[key], translated[key]));
}

/** Returns the texts that are the same in the translation and not listed in `SAME_IN_GERMAN`. */
function sameTexts(place: string, text: unknown, translated: unknown): string[] {
  if (isRecord(text) && isRecord(translated))
    return Object.keys(text).flatMap((key) => sameTexts(`${place}.${key}`, text[key], translated[key]));
  const repeated = new Set(wordsOf(translated));
  return wordsOf(text)
    .filter((words) => repeated.has(words) && !SAME_IN_GERMAN.includes(words))
    .map((words) => `${place}: ${words}`);
}
