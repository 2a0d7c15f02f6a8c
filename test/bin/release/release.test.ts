import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARCHIVES, archiveProblems, commitOf } from '../../../bin/release/archives.ts';
import { release } from '../../../bin/release/release.ts';

const NOW = new Date('2026-12-01T10:00:00Z');
const FILES = {
  'package.json': '{\n  "name": "trapline",\n  "version": "0.2.0"\n}\n',
  'package-lock.json': `${JSON.stringify({ version: '0.2.0', packages: { '': { version: '0.2.0' }, 'node_modules/a': { version: '0.2.0' } } }, null, 2)}\n`,
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- a change\n\n## 0.2.0 (2026-11-25)\n\nFirst release\n',
  'deploy/kubernetes/trapline/Chart.yaml': 'apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n',
  'docs/operations/detector.md': 'apt-get install ./trapline-detector_0.2.0_amd64.deb\n',
  'docs/security/supply-chain.md': 'platform:0.2.0\n',
  ...Object.fromEntries(['api', 'analytics', 'schemas', 'ingest', 'bin'].map((name) => [`${name}/a.ts`, `${name}\n`])),
};

const root = mkdtempSync(path.join(tmpdir(), 'trapline-release-'));
const renderings: string[] = [];

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Maintainer');
  git('config', 'user.email', 'maintainer@example.org');
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  git('add', '--all');
  git('commit', '--quiet', '--message=First');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('changes nothing while the version cannot be released', async () => {
  write('api/a.ts', 'changed\n');
  expect(await attempt('0.2.0')).toEqual([
    '0.2.0 is not newer than the current version 0.2.0',
    'files have uncommitted changes:  M api/a.ts',
  ]);
  expect(git('log', '--format=%s')).toBe('First');
  expect(read('package.json')).toBe(FILES['package.json']);
  git('checkout', '--quiet', 'api/a.ts');
});

test('one call makes the release commit, its tag, and the archive for upgrade tests', async () => {
  expect(await attempt('0.3.0')).toEqual([]);
  expect(git('log', '--format=%s').split('\n')).toEqual([
    'Keep release 0.3.0 for the upgrade tests',
    'Release 0.3.0',
    'First',
  ]);
  const tagged = git('rev-parse', 'v0.3.0^{commit}');
  expect(tagged).toBe(git('rev-parse', 'HEAD~1'));
  expect(git('status', '--porcelain')).toBe('');
  expect(renderings).toEqual(['version: 0.3.0']);
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    version: '0.3.0',
    packages: { '': { version: '0.3.0' }, 'node_modules/a': { version: '0.2.0' } },
  });
  expect(read('deploy/kubernetes/trapline/Chart.yaml')).toBe('apiVersion: v2\nversion: 0.3.0\nappVersion: 0.3.0\n');
  expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n## 0.3.0 (2026-12-01)\n\n- a change\n\n## 0.2.0');
  expect(read('docs/operations/detector.md')).toContain('_0.3.0_amd64');
  const archive = readFileSync(path.join(root, ARCHIVES, 'trapline-0.3.0.tar.gz'));
  expect(commitOf(gunzipSync(archive))).toBe(tagged);
  const packed = execFileSync('tar', ['-xzO', 'package.json'], { input: archive, encoding: 'utf8' });
  expect(JSON.parse(packed)).toMatchObject({ version: '0.3.0' });
});

test('rejects a version without entries in the changelog, and one with a tag', async () => {
  git('tag', 'v0.4.0');
  expect(await attempt('0.4.0')).toEqual(['the tag v0.4.0 exists', 'the section Unreleased of CHANGELOG.md is empty']);
  expect(await attempt('next')).toContain('next is not a version of the form 1.2.3');
});

test('the check compares each archive with its commit', async () => {
  expect(await archiveProblems(root, () => {})).toEqual([]);
  const archive = path.join(root, ARCHIVES, 'trapline-0.3.0.tar.gz');
  const content = gunzipSync(readFileSync(archive));
  content[content.lastIndexOf('schemas\n')] = 'S'.charCodeAt(0);
  writeFileSync(archive, gzipSync(content));
  writeFileSync(path.join(root, ARCHIVES, 'trapline-0.1.0.tar.gz'), gzipSync('no archive'));
  git('tag', '--force', 'v0.3.0', 'HEAD');
  const [unknown, moved] = await archiveProblems(root, () => {});
  expect(unknown).toBe('trapline-0.1.0.tar.gz: it was not made by git archive');
  expect(moved).toMatch(/^trapline-0\.3\.0\.tar\.gz: the tag v0\.3\.0 is /);
  git('tag', '--delete', 'v0.3.0');
  expect((await archiveProblems(root, () => {}))[1]).toMatch(/it differs from its commit/);
});

function attempt(version: string): Promise<string[]> {
  const renderChart = async () => {
    renderings.push(/^version: .*/m.exec(read('deploy/kubernetes/trapline/Chart.yaml'))?.[0] ?? '');
  };
  return release({ root, version, now: NOW, renderChart, report: () => {} });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
