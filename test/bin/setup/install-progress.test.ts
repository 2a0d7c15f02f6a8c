import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '#test/support/wait-for.ts';
import { withInstallProgress } from '../../../bin/setup/install-progress.mjs';

const packages = Array.from({ length: 4 }, (_, index) => `node_modules/p${index}`);

/** Runs an installation of four packages, two of which are unpacked. Resolves to the output. */
async function install(isTTY: boolean): Promise<string> {
  const root = mkdtempSync(path.join(tmpdir(), 'install-progress-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  let written = '';
  const stream = {
    isTTY,
    write(text: string) {
      written += text;
    },
  };
  await withInstallProgress(stream, { root, packages, everyMs: 1 }, async () => {
    for (const name of packages.slice(0, 2)) {
      mkdirSync(path.join(root, name), { recursive: true });
      writeFileSync(path.join(root, name, 'package.json'), '{}');
    }
    await waitFor('progress', async () => written.includes('50 %'));
  });
  return written;
}

test('updates one line on a terminal and removes it', async () => {
  const writes = (await install(true)).split('\r\u001b[K');
  expect(writes.at(0)).toBe('');
  expect(writes.at(-1)).toBe('');
  expect(writes.at(-2)).toBe('trapline: installed 50 % (2 of 4 packages)');
});

test('prints a line for every tenth elsewhere', async () => {
  expect(await install(false)).toBe('trapline: installed 50 % (2 of 4 packages)\n');
});
