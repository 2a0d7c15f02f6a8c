import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDefinitions } from '#deploy/cli/executions/definition-files.ts';
import { readYamlSources } from '#deploy/cli/yaml-sources.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trapline-yaml-'));
  await mkdir(path.join(folder, 'empty'));
  await writeFile(path.join(folder, 'b.yml'), 'b: 1');
  await writeFile(path.join(folder, 'a.yaml'), 'a: 1');
  await writeFile(path.join(folder, 'c.txt'), 'c: 1');
});
afterAll(() => rm(folder, { recursive: true }));

const stdin = (text = '') => ({ stdin: Readable.from([Buffer.from(text)]) });

test('reads a file, the files of a folder by name, and standard input', async () => {
  const file = path.join(folder, 'c.txt');
  expect(await readYamlSources(file, 'rules', stdin())).toEqual([{ path: file, text: 'c: 1' }]);
  expect(await readYamlSources(folder, 'rules', stdin())).toEqual([
    { path: path.join(folder, 'a.yaml'), text: 'a: 1' },
    { path: path.join(folder, 'b.yml'), text: 'b: 1' },
  ]);
  expect(await readYamlSources('-', 'rules', stdin('d: 1'))).toEqual([{ path: 'standard input', text: 'd: 1' }]);
});

test('a path without YAML files is wrong usage', async () => {
  await expect(readYamlSources(path.join(folder, 'none'), 'rules', stdin())).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('there is no such file or folder'),
  });
  await expect(readYamlSources(path.join(folder, 'empty'), 'rules', stdin())).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('there are no rules (*.yaml, *.yml) in this folder'),
  });
});

test('sends a definition without a name under a valid one, so that the server reports the problem', async () => {
  expect(await readDefinitions('-', stdin('document: { name: greeter }'))).toMatchObject([{ slug: 'greeter' }]);
  expect(await readDefinitions('-', stdin('a: ['))).toMatchObject([{ slug: 'standard-input', yamlContent: 'a: [' }]);
});
