import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import released from './released-migrations.json' with { type: 'json' };

const FOLDER = new URL('../../../api/postgres/migrations/', import.meta.url);
const files = (await readdir(FOLDER)).filter((name) => /^\d/.test(name)).toSorted();

/**
 * A released migration never changes. A new migration gets a line in `released-migrations.json`; existing lines are
 * never edited.
 */
test('released migrations are unchanged', async () => {
  const texts = await Promise.all(
    files.map(async (name) => [
      name,
      createHash('sha256')
        .update(await readFile(new URL(name, FOLDER)))
        .digest('hex'),
    ]),
  );
  expect(Object.fromEntries(texts)).toEqual(released);
});

test('migrations import nothing of the product, so that nothing else can change them', async () => {
  for (const name of files) {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    const imports = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, module]) => module);
    expect({ name, imports: imports.filter((module) => !module?.startsWith('kysely')) }).toEqual({ name, imports: [] });
  }
});
