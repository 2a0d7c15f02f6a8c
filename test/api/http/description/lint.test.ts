import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_KEY, useConsoleServer } from '#test/support/console-server.ts';
import { lintErrors } from '#test/support/services/openapi-linters.ts';

const server = await useConsoleServer();
/** The linters are installed from npm the first time. */
const INSTALL_MS = 300_000;

async function errorsOf(description: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-lint-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, description);
  return lintErrors(file);
}

test(
  'redocly and spectral find no error in the descriptions',
  async () => {
    const full = await fetch(`${server.url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
    expect(await errorsOf(await full.text())).toEqual([]);
    const clients = await fetch(`${server.url}/api/openapi.json`);
    expect(await errorsOf(await clients.text())).toEqual([]);
  },
  INSTALL_MS,
);

test(
  'redocly and spectral find an error in a description that has one',
  async () => {
    const response = { 200: { description: 'Found' } };
    const paths = { '/a/{id}': { get: { responses: response } } };
    const wrong = { openapi: '3.0.3', info: { title: 'Wrong', version: '1' }, paths };
    const linters = (await errorsOf(JSON.stringify(wrong))).map(({ linter }) => linter);
    expect([...new Set(linters)].sort()).toEqual(['redocly', 'spectral']);
  },
  INSTALL_MS,
);
