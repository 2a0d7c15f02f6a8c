import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  ...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/.vitepress/**'] }),
  ...globSync('{analytics,api,dashboards,deploy,ingest,schemas,test}/**/README.md', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  }),
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];

/** Returns the anchors of a page, as VitePress and code hosts derive them from its headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s+/g, '-'),
    ),
  );
}

test.each(PAGES)('the links of %s lead to files and headings that exist', (page) => {
  const markdown = readFileSync(ROOT + page, 'utf8');
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  for (const link of links.filter((one) => !/^(?:https?|mailto):/.test(one))) {
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? page : path.join(path.dirname(page), target);
    expect(existsSync(ROOT + file), `${link} in ${page}`).toBe(true);
    if (anchor !== undefined && file.endsWith('.md'))
      expect(anchorsOf(readFileSync(ROOT + file, 'utf8')), `${link} in ${page}`).toContain(anchor);
  }
});

/**
 * Matches paths that pages name as code, relative to the repository or to the folder of a README: alone or in a
 * command, such as `npm test -- test/docs`.
 */
const NAMED_PATH =
  /(?<=[` ])(?:analytics|api|bin|dashboards|deploy|docs|examples|ingest|schemas|test)\/[\w./-]+(?=[` ])/g;

test.each(PAGES)('the files that %s names exist', (page) => {
  const markdown = readFileSync(ROOT + page, 'utf8');
  const named = [...markdown.matchAll(/`[^`\n]+`/g)].flatMap(([code]) => code.match(NAMED_PATH) ?? []);
  const folder = `${ROOT}${path.dirname(page)}/`;
  expect(named.filter((one) => !existsSync(ROOT + one) && !existsSync(folder + one))).toEqual([]);
});

test('every page of the site is in its side bar', () => {
  const config = readFileSync(`${ROOT}docs/.vitepress/config.ts`, 'utf8');
  for (const page of PAGES.filter((one) => one.startsWith('docs/'))) {
    const address = page.replace(/^docs/, '').replace(/(?:\/index)?\.md$/, '');
    if (address !== '') expect(config, page).toMatch(new RegExp(`link: '${address}/?'`));
  }
});
