import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type JsonRecord, tasksOf } from '#api/workflows/definitions/walk.ts';

const FOLDERS = ['workflows', 'agents'].map((name) => new URL(`../../examples/${name}/`, import.meta.url));

/** Returns the status and verdict fields that an example sets in tasks that update a detection. */
function decisionsOf(definition: JsonRecord): string[] {
  return tasksOf(definition).flatMap(({ name, task }) => {
    if (task.call !== 'trapline.detection.update') return [];
    const fields = Object.keys((task.with ?? {}) as object);
    return fields.filter((field) => ['status', 'verdict'].includes(field)).map((field) => `${name}: ${field}`);
  });
}

test('no shipped example acknowledges or closes a detection without approval', async () => {
  const files = (
    await Promise.all(
      FOLDERS.map(async (folder) =>
        (
          await readdir(folder, { recursive: true })
        )
          .filter((name) => name.endsWith('.yaml'))
          .map((name) => new URL(name, folder)),
      ),
    )
  ).flat();
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const file of files) {
    const definition = parse(await readFile(file, 'utf8')) as JsonRecord;
    expect({ file: file.pathname.split('/').at(-1), decides: decisionsOf(definition) }).toMatchObject({ decides: [] });
  }
});

test('finds an example that would close a detection, at any depth', () => {
  const close = { call: 'trapline.detection.update', with: { id: 'det_1', status: 'closed' } };
  expect(decisionsOf({ do: [{ outer: { try: [{ inner: close }], catch: { do: [] } } }] })).toEqual(['inner: status']);
});
