import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/corrections');
const pages = readdirSync(folder).filter((name) => name !== 'index.md');

/** Returns the rows of the table of a page, by name. */
function factsOf(page: string): Readonly<Record<string, string>> {
  const rows = page.matchAll(/^\| (?<name>[a-z][a-z ]+?) +\| (?<value>.+?) +\|$/gm);
  return Object.fromEntries(Array.from(rows, ({ groups }) => [groups?.name, groups?.value]));
}

test.each(pages)('%s names the installed version, its code and its test', (name) => {
  const page = readFileSync(path.join(folder, name), 'utf8');
  const facts = factsOf(page);
  const [, dependency = '', version] = /^`(.+)` (\S+)$/.exec(facts.package ?? '') ?? [];
  const packages: Readonly<Record<string, { version?: string }>> = lock.packages;
  expect(packages[`node_modules/${dependency}`]?.version).toBe(version);
  const files = [...`${facts.code} ${facts['test that fails without it']}`.matchAll(/`([^`]+)`/g)].map(
    ([, file]) => file,
  );
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect([file, existsSync(path.join(root, file ?? ''))]).toEqual([file, true]);
  expect(facts.upstream).toMatch(/\S/);
  for (const part of ['**What.** ', '**Why.** ', '**It can go when** ']) expect(page).toContain(part);
});

test('every correction has a page in the index, and every correction of kafkajs has one', async () => {
  const index = readFileSync(path.join(folder, 'index.md'), 'utf8');
  expect(pages.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  const { PATCHES } = await import('../../bin/patches/apply.mjs');
  const corrections = PATCHES.flatMap((patch) =>
    patch.corrections.map((correction) => `${patch.name}-${correction.name}.md`),
  );
  expect(corrections.filter((name) => !pages.includes(name))).toEqual([]);
});
