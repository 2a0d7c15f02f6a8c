import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { GERMAN } from '#dashboards/console/src/language/german.ts';
import { RULE_NAMES_TEXT } from '#dashboards/console/src/parts/rule-names-text.ts';
import { SAME_IN_GERMAN } from './same-in-german.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../../../dashboards/console/src');
const NAME = /catalogue\('(\w+)'/;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*text.ts'], {
  cwd: SOURCES,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && NAME.test(readFileSync(path.join(SOURCES, file), 'utf8')));

/** The catalogues that the console has, by name. */
const english = new Map<string, unknown>();
for (const file of files) {
  const [, name = ''] = NAME.exec(readFileSync(path.join(SOURCES, file), 'utf8')) ?? [];
  const [exported] = Object.values((await import(path.join(SOURCES, file))) as Record<string, unknown>);
  if (english.has(name)) throw new Error(`two catalogues have the name ${name}`);
  english.set(name, exported);
}

test('every catalogue has German texts, and nothing else has', () => {
  expect(Object.keys(GERMAN).sort()).toEqual([...english.keys()].sort());
});

test('German has every key, and functions of as many values', () => {
  const problems = [...english].flatMap(([name, texts]) =>
    differences(name, texts, GERMAN[name as keyof typeof GERMAN]),
  );
  expect(problems).toEqual([]);
});

test('no German text is the English one, except listed names', () => {
  const same = [...english].flatMap(([name, texts]) => sameTexts(name, texts, GERMAN[name as keyof typeof GERMAN]));
  expect(same).toEqual([]);
});

test('every listed name is in use', () => {
  const used = new Set([...english.values(), ...Object.values(GERMAN)].flatMap(wordsOf));
  expect(SAME_IN_GERMAN.filter((text) => !used.has(text))).toEqual([]);
});

test('the console names every bundled rule as the rule names itself', () => {
  expect(RULE_NAMES_TEXT).toEqual(Object.fromEntries(RULES.map(({ id, name }) => [id, name])));
});

/** Where `german` has another shape than `english`. */
function differences(place: string, text: unknown, german: unknown): string[] {
  if (typeof text !== typeof german) return [`${place}: ${typeof text} in English, ${typeof german} in German`];
  if (typeof text === 'function' && typeof german === 'function')
    return text.length === german.length
      ? []
      : [`${place}: ${text.length} values in English, ${german.length} in German`];
  if (!isRecord(text) || !isRecord(german)) return [];
  const keys = new Set([...Object.keys(text), ...Object.keys(german)]);
  return [...keys].flatMap((key) => differences(`${place}.${key}`, text[key], german[key]));
}

/** Texts of `english` that `german` repeats. */
function sameTexts(place: string, text: unknown, german: unknown): string[] {
  if (isRecord(text) && isRecord(german))
    return Object.keys(text).flatMap((key) => sameTexts(`${place}.${key}`, text[key], german[key]));
  const repeated = new Set(wordsOf(german));
  return wordsOf(text)
    .filter((words) => repeated.has(words) && !SAME_IN_GERMAN.includes(words))
    .map((words) => `${place}: ${words}`);
}

/** The texts of a catalogue that have words: strings, and the literal parts of functions. */
function wordsOf(text: unknown): string[] {
  if (isRecord(text)) return Object.values(text).flatMap(wordsOf);
  const parts = typeof text === 'function' ? literalsOf(String(text)) : [String(text)];
  return parts.map((part) => part.trim()).filter((part) => /\p{L}{2}/u.test(part));
}

/** The literal texts in the source of a function. */
function literalsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (!isRecord(node)) return;
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
    if (node.type === 'TemplateElement' && isRecord(node.value)) found.push(String(node.value.cooked));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync('text.ts', `(${source})`).program);
  return found;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
