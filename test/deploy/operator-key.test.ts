import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureOperatorKey, readOperatorKey } from '#deploy/operator-key.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'trapline-data-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}
const mode = (file: string) => statSync(file).mode & 0o777;

test('creates the key once, readable only by its owner', async () => {
  const dataDir = join(folder(), 'new');
  expect(await readOperatorKey(dataDir)).toBeUndefined();
  const key = await ensureOperatorKey(dataDir);
  expect(key).toMatch(/^tl_operator\.[0-9A-Za-z]{49}$/);
  expect(mode(join(dataDir, 'operator.key'))).toBe(0o600);
  expect(mode(dataDir)).toBe(0o700);
  expect(await ensureOperatorKey(dataDir)).toBe(key);
  expect(await readOperatorKey(dataDir)).toBe(key);
  expect(readdirSync(dataDir)).toEqual(['operator.key']);
});

test('accepts a key of an older version', async () => {
  const dataDir = folder();
  const older = `operator.${'k-_'.repeat(14)}k`;
  writeFileSync(join(dataDir, 'operator.key'), `${older}\n`, { mode: 0o600 });
  expect(await ensureOperatorKey(dataDir)).toBe(older);
  expect(await readOperatorKey(dataDir)).toBe(older);
});

test('concurrent starts agree on one key', async () => {
  const dataDir = folder();
  const keys = await Promise.all(Array.from({ length: 8 }, () => ensureOperatorKey(dataDir)));
  expect(new Set(keys).size).toBe(1);
});

test('removes access of others to the key', async () => {
  const dataDir = folder();
  await ensureOperatorKey(dataDir);
  chmodSync(join(dataDir, 'operator.key'), 0o644);
  await ensureOperatorKey(dataDir);
  expect(mode(join(dataDir, 'operator.key'))).toBe(0o600);
});

test('reports a file without a key instead of using it', async () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'operator.key'), 'x');
  await expect(ensureOperatorKey(dataDir)).rejects.toThrow('does not contain an operator key: remove it');
});
