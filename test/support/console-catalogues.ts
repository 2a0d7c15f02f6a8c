import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

const SOURCES = path.resolve(import.meta.dirname, '../../dashboards/console/src');
const NAME = /catalogue\('(\w+)'/;

/** Returns the English text catalogues of the console by name. Throws if two catalogues have the same name. */
export async function englishCatalogues(): Promise<ReadonlyMap<string, unknown>> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*text.ts'], {
    cwd: SOURCES,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '');
  const catalogues = new Map<string, unknown>();
  for (const file of files) {
    const source = readFileSync(path.join(SOURCES, file), 'utf8');
    const [, name] = NAME.exec(source) ?? [];
    if (name === undefined && /export const [A-Z_]+_TEXT\b/.test(source))
      throw new Error(`${file} has texts without catalogue('<name>', …)`);
    if (name === undefined) continue;
    if (catalogues.has(name)) throw new Error(`two catalogues have the name ${name}`);
    const [texts] = Object.values((await import(path.join(SOURCES, file))) as Record<string, unknown>);
    catalogues.set(name, texts);
  }
  return catalogues;
}

/** Returns the texts of a catalogue that contain words: strings, and the literal parts of functions. */
export function wordsOf(text: unknown): string[] {
  if (isRecord(text)) return Object.values(text).flatMap(wordsOf);
  return withWords(typeof text === 'function' ? literalsOf(String(text)) : [String(text)]);
}

/** Returns the strings of a catalogue that contain words, without those of functions. */
export function stringsOf(text: unknown): string[] {
  if (isRecord(text)) return Object.values(text).flatMap(stringsOf);
  return withWords(typeof text === 'string' ? [text] : []);
}

function withWords(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text));
}

/** Returns the literal texts in the source of a function. */
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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
