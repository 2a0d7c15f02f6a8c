import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { isRecord } from '#test/support/console-catalogues.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../../dashboards/console/src');
/** Components that render a dialog. `Modal` is the base of those in `parts/`. */
const DIALOGS: ReadonlySet<string> = new Set(['Modal', 'Drawer', 'Confirm', 'DetailsDialog', 'SecretDialog']);
const SHARED: ReadonlySet<string> = new Set([
  'parts/confirm.tsx',
  'parts/details-dialog.tsx',
  'parts/secret-dialog.tsx',
]);

/**
 * A dialog in the source: its file, then the keys of its title in a catalogue, such as `pages/keys/new-key.tsx title`.
 */
export type DialogSite = string;

/**
 * Returns all dialogs in the source of the console. A `DetailsDialog` with an action counts twice: the second dialog
 * asks for confirmation.
 */
export async function dialogSites(): Promise<DialogSite[]> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('.tsx')).sort();
  const found = await Promise.all(
    files
      .filter((file) => !SHARED.has(file))
      .map(async (file) => dialogsIn(file, await readFile(path.join(SOURCES, file), 'utf8'))),
  );
  return found.flat().sort();
}

/** Returns the dialogs of one file. */
export function dialogsIn(file: string, source: string): DialogSite[] {
  const sites: DialogSite[] = [];
  const visit = (node: unknown): void => {
    if (!isRecord(node)) return;
    if (node.type === 'JSXOpeningElement' && isRecord(node.name) && DIALOGS.has(String(node.name.name))) {
      const [title, action] = ['title', 'action'].map((name) => attributeOf(node, name, source));
      sites.push([file, namesIn(title ?? '').join('|')].join(' ').trim());
      if (node.name.name === 'DetailsDialog' && action !== undefined)
        sites.push(`${file} ${/question: (?:\w+\.)*(\w+)/.exec(action)?.[1]}`);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, source).program);
  return sites;
}

/** Returns the source text of an attribute, or undefined if the element does not have it. */
function attributeOf(element: Readonly<Record<string, unknown>>, name: string, source: string): string | undefined {
  const all = Array.isArray(element.attributes) ? element.attributes : [];
  const found = all.filter(isRecord).find((one) => isRecord(one.name) && one.name.name === name);
  return found === undefined ? undefined : source.slice(Number(found.start), Number(found.end));
}

/** Returns the catalogue keys in an expression: `removal.title` for `TEXT.removal.title`. */
function namesIn(expression: string): string[] {
  const chains = [...expression.matchAll(/\b[A-Z_]{4,}((?:\.\w+)+)/g)];
  return [...new Set(chains.map(([, names = '']) => names.slice(1)))];
}

/** Returns the last part of each catalogue key of the title. Empty if the title is not set in the element. */
export function titleNamesOf(site: DialogSite): readonly string[] {
  const [, names = ''] = site.split(' ');
  return names === '' ? [] : names.split('|').map((name) => name.split('.').at(-1) ?? name);
}
