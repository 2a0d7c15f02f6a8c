import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isInstalled } from '../../../bin/setup/dependencies.mjs';
import { ROOT } from '../../../bin/setup/paths.mjs';

interface Entry {
  version?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

function checkout(wanted: Record<string, Entry>, installed: Record<string, Entry> | undefined): string {
  const root = mkdtempSync(join(tmpdir(), 'trapline-checkout-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': { version: '1.0.0' }, ...wanted } }));
  mkdirSync(join(root, 'node_modules'));
  if (installed) writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  return root;
}

const A = { version: '1.0.0', integrity: 'sha512-a' };

test.each<[string, Record<string, Entry>, Record<string, Entry> | undefined, boolean]>([
  ['the same', { 'node_modules/a': A }, { 'node_modules/a': A }, true],
  ['nothing installed', { 'node_modules/a': A }, undefined, false],
  ['one missing', { 'node_modules/a': A, 'node_modules/b': A }, { 'node_modules/a': A }, false],
  ['another version', { 'node_modules/a': A }, { 'node_modules/a': { ...A, version: '1.0.1' } }, false],
  ['other bytes', { 'node_modules/a': A }, { 'node_modules/a': { ...A, integrity: 'sha512-b' } }, false],
  ['one of another platform missing', { 'node_modules/a': { ...A, optional: true } }, {}, true],
])('%s', (_, wanted, installed, expected) => {
  expect(isInstalled(checkout(wanted, installed))).toBe(expected);
});

/**
 * npm omits builds for other platforms from the lock file when it cannot read their registry entry. `npm ci` then
 * rejects the lock file as out of sync on every machine.
 */
test('the lock file contains every optional dependency, as npm ci requires', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});
