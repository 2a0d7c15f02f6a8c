import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consolePackages } from '../../../bin/supply-chain/console-packages.ts';
import { judgeInstallation } from '../../../bin/supply-chain/install-rules.ts';
import { judgeLicences } from '../../../bin/supply-chain/licences.ts';
import { type LockedPackage, readLockFile } from '../../../bin/supply-chain/lock-file.ts';
import { type Advisory, readAdvisories, readPolicy } from '../../../bin/supply-chain/policy.ts';
import { directDependencies, judgePythonClient } from '../../../bin/supply-chain/python-client.ts';
import { bulkAddress, withReported } from '../../../bin/supply-chain/refresh.ts';
import { vulnerabilitiesIn } from '../../../bin/supply-chain/registry-audit.ts';
import { judgeAge, judgeVulnerabilities, vulnerabilitiesOf } from '../../../bin/supply-chain/vulnerabilities.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NOW = new Date('2026-06-15T12:00:00Z');
const POLICY = { licences: { allowed: ['MIT', 'BSD-3-Clause'], exceptions: [], python: {} } };

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'trapline-supply-chain-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Creates a checkout with these files. Resolves to its path. */
async function checkout(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
  const root = join(home, name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

const installed = (change: Partial<LockedPackage>): LockedPackage => ({
  path: `node_modules/${change.name ?? 'a'}`,
  name: 'a',
  version: '1.0.0',
  shipped: true,
  integrity: 'sha512-AAAA',
  hasInstallScript: false,
  foreign: false,
  dependencies: [],
  ...change,
});

test('the shipped packages follow from the roots as Node resolves modules, including nested versions and the console', async () => {
  const root = await checkout('lock', {
    'package-lock.json': {
      packages: {
        '': { dependencies: { a: '1' }, devDependencies: { tool: '1', ui: '1' } },
        'node_modules/a': { version: '1.0.0', dependencies: { shared: '2' } },
        'node_modules/a/node_modules/shared': { version: '2.0.0', dependencies: { deep: '1' } },
        'node_modules/shared': { version: '1.0.0' },
        'node_modules/deep': { version: '1.0.0', optionalDependencies: { mac: '1' } },
        'node_modules/mac': { version: '1.0.0', optional: true, os: ['darwin'] },
        'node_modules/tool': { version: '1.0.0', dependencies: { shared: '1' } },
        'node_modules/ui': { version: '1.0.0' },
      },
    },
    'dashboards/console/src/a.tsx':
      "import { x } from 'ui/part';\nimport './b.ts';\nimport type { C } from '#schemas/c.ts';\nimport 'ui/style.css';\n",
  });
  expect(consolePackages(root)).toEqual(['ui']);
  const packages = readLockFile(root, consolePackages(root));
  expect(packages.filter((one) => one.shipped).map(({ path }) => path)).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/shared',
    'node_modules/deep',
    'node_modules/mac',
    'node_modules/ui',
  ]);
  expect(packages.find(({ name }) => name === 'mac')?.foreign).toBe(true);
});

describe('vulnerabilities', () => {
  const advisory = {
    ids: ['GHSA-aaaa-bbbb-cccc', 'CVE-2026-1'],
    ecosystem: 'npm' as const,
    package: 'a',
    vulnerable: '<1.2.0 || >=2.0.0 <2.0.1',
    severity: 'high' as const,
    summary: 'Breaks',
  };
  const judged = (one: Partial<LockedPackage>, exceptions: Parameters<typeof judgeVulnerabilities>[1] = []) =>
    judgeVulnerabilities(vulnerabilitiesOf([installed(one)], [advisory]), exceptions, NOW);

  test('a vulnerable shipped version fails, one of a tool is a note, and a fixed one is neither', () => {
    expect(judged({ version: '1.1.9' })).toMatchObject({ failures: [expect.stringContaining('GHSA-aaaa-bbbb-cccc')] });
    expect(judged({ version: '1.2.0-beta.1' }).failures).toHaveLength(1);
    expect(judged({ version: '1.1.9', shipped: false })).toMatchObject({ failures: [], notes: [expect.any(String)] });
    for (const version of ['1.2.0', '2.0.1'])
      expect(judged({ version })).toEqual({ failures: [], warnings: [], notes: [] });
    expect(judged({ name: 'b', version: '1.0.0' })).toEqual({ failures: [], warnings: [], notes: [] });
  });

  test('an exception is valid until the end of its last day, for its package and id only', () => {
    const exception = { id: 'CVE-2026-1', package: 'a', reason: 'the function is never called', expires: '2026-06-15' };
    expect(judged({}, [exception])).toMatchObject({ failures: [], notes: [expect.stringContaining('never called')] });
    expect(judged({}, [{ ...exception, expires: '2026-06-14' }]).failures).toEqual([
      expect.stringContaining('expired on 2026-06-14'),
    ]);
    expect(judged({}, [{ ...exception, id: 'CVE-2026-2' }]).failures).toHaveLength(1);
    expect(judged({}, [{ ...exception, package: 'b' }]).failures).toHaveLength(1);
  });

  test('warns about an outdated list', () => {
    const list = { source: '', advisories: [] };
    expect(judgeAge({ ...list, updated: '2026-05-20' }, NOW).warnings).toEqual([]);
    expect(judgeAge({ ...list, updated: '2026-05-01' }, NOW).warnings).toEqual([
      expect.stringContaining('45 days old'),
    ]);
  });

  test('reads a report of the registry, and counts the same advisory of both sources once', () => {
    const report = {
      auditReportVersion: 2,
      vulnerabilities: {
        a: {
          nodes: ['node_modules/a'],
          via: [
            { name: 'a', title: 'Breaks', url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc', severity: 'high' },
            { name: 'a', title: 'Leaks', url: 'https://github.com/advisories/GHSA-dddd-eeee-ffff', severity: 'low' },
          ],
        },
        depends: { nodes: ['node_modules/depends'], via: ['a'] },
      },
    };
    const packages = [installed({}), installed({ name: 'depends' })];
    const reported = vulnerabilitiesIn(JSON.stringify(report), packages) ?? [];
    expect(reported).toHaveLength(2);
    const both = [...reported, ...vulnerabilitiesOf(packages, [advisory])];
    expect(judgeVulnerabilities(both, [], NOW).failures).toHaveLength(2);
    for (const text of ['', '<html>', '{"message":"405 Method Not Allowed","statusCode":405}'])
      expect(vulnerabilitiesIn(text, packages)).toBeUndefined();
  });

  test('a refresh replaces ranges, adds new ones and keeps the rest', () => {
    const other = { ...advisory, ids: ['GHSA-oooo-oooo-oooo'], package: 'other' };
    const newer = { ...advisory, ids: ['GHSA-aaaa-bbbb-cccc'], vulnerable: '<1.3.0' };
    const added = { ...advisory, ids: ['GHSA-nnnn-nnnn-nnnn'] };
    const list = { updated: '2026-01-01', source: 's', advisories: [advisory, other] };
    expect(withReported(list, [newer, added], '2026-06-15')).toEqual({
      updated: '2026-06-15',
      source: 's',
      advisories: [{ ...advisory, vulnerable: '<1.3.0' }, other, added],
    });
  });
});

describe('licences', () => {
  const judge = async (name: string, manifest: object, policy: Parameters<typeof judgeLicences>[2] = POLICY) =>
    judgeLicences(await checkout(name, { 'node_modules/a/package.json': manifest }), [installed({})], policy);

  test.each([
    ['allowed', { license: 'MIT' }, []],
    ['one of two', { license: '(GPL-3.0-only OR MIT)' }, []],
    ['both needed', { license: '(GPL-3.0-only AND MIT)' }, ['is not on the allow list']],
    ['not allowed', { license: 'AGPL-3.0-only' }, ['licence AGPL-3.0-only is not on the allow list']],
    ['none', {}, ['declares no licence']],
    ['unlicensed', { license: 'UNLICENSED' }, ['is not an SPDX expression']],
    ['see file', { license: 'SEE LICENSE IN LICENSE.md' }, ['is not an SPDX expression']],
    ['the old form', { licenses: [{ type: 'BSD-3-Clause' }] }, []],
    ['the object form', { license: { type: 'MIT' } }, []],
  ])('%s', async (name, manifest, problems) => {
    expect((await judge(`licence ${name}`, manifest)).failures).toEqual(
      problems.map((one) => expect.stringContaining(one)),
    );
  });

  test('an exception applies to exactly its package, and an unused one is reported', async () => {
    const exception = {
      package: 'a',
      declared: 'Custom',
      licence: 'MIT',
      reason: 'the text is that of the MIT licence',
    };
    const policy = { licences: { ...POLICY.licences, exceptions: [exception] } };
    expect((await judge('exception', { license: 'Custom' }, policy)).failures).toEqual([]);
    expect((await judge('changed', { license: 'Custom 2' }, policy)).failures).toHaveLength(1);
    expect((await judge('not needed', { license: 'MIT' }, policy)).warnings).toEqual([
      expect.stringContaining('not needed'),
    ]);
  });

  test('a missing shipped package fails, one for another platform does not', async () => {
    const root = await checkout('absent', { 'package.json': {} });
    expect(judgeLicences(root, [installed({})], POLICY).failures).toHaveLength(1);
    expect(judgeLicences(root, [installed({ foreign: true })], POLICY).failures).toEqual([]);
    expect(judgeLicences(root, [installed({ shipped: false })], POLICY).failures).toEqual([]);
  });
});

// Regression: advisories were looked up under the folder name in node_modules. The folder string-width-cjs holds the
// package string-width.
test('identifies a package that is installed under another name', async () => {
  const root = await checkout('alias', {
    'package-lock.json': {
      packages: {
        '': { dependencies: { 'bad-cjs': 'npm:bad@1' } },
        'node_modules/bad-cjs': { name: 'bad', version: '1.0.0' },
      },
    },
  });
  const packages = readLockFile(root);
  expect(packages).toMatchObject([{ path: 'node_modules/bad-cjs', name: 'bad', shipped: true }]);
  const advisory: Advisory = {
    ids: ['GHSA-x'],
    ecosystem: 'npm',
    package: 'bad',
    vulnerable: '<2',
    severity: 'high',
    summary: 's',
  };
  expect(vulnerabilitiesOf(packages, [advisory])).toHaveLength(1);
});

test('queries a registry with a path below that path', () => {
  for (const registry of ['https://mirror.example.org/npm', 'https://mirror.example.org/npm/'])
    expect(bulkAddress(registry).href).toBe('https://mirror.example.org/npm/-/npm/v1/security/advisories/bulk');
});

test('reads dependencies of the Python client after one with extras', () => {
  expect(directDependencies('dependencies = ["httpx[http2]>=0.27,<1", "anyio>=4"]\nother = ["x"]')).toEqual([
    { name: 'httpx', lowest: '0.27.0' },
    { name: 'anyio', lowest: '4.0.0' },
  ]);
});

test('install scripts need a decision and packages a hash, except those of other platforms', () => {
  const scripted = installed({ hasInstallScript: true });
  expect(judgeInstallation([scripted], {}).failures).toEqual([expect.stringContaining('install script')]);
  for (const decision of [true, false]) expect(judgeInstallation([scripted], { a: decision }).failures).toEqual([]);
  expect(judgeInstallation([{ ...scripted, foreign: true }], {}).failures).toEqual([]);
  expect(judgeInstallation([installed({ integrity: undefined })], {}).failures).toEqual([
    expect.stringContaining('no integrity hash'),
  ]);
  expect(judgeInstallation([installed({ integrity: undefined, foreign: true })], {})).toMatchObject({
    failures: [],
    notes: [expect.stringContaining('a')],
  });
  expect(judgeInstallation([installed({})], { a: true }).warnings).toHaveLength(1);
});

test('the Python client may not accept a vulnerable version, nor a dependency without a known licence', async () => {
  const policy = { advisories: [], licences: { allowed: ['MIT'], exceptions: [], python: { httpx: 'MIT' } } };
  const pyproject = (dependencies: string) => ({ 'api/clients/python/pyproject.toml': `[project]\n${dependencies}\n` });
  const judge = async (name: string, dependencies: string) =>
    judgePythonClient(await checkout(name, pyproject(dependencies)), readAdvisories(), policy).failures;
  expect(await judge('good', 'dependencies = ["httpx>=0.27,<1"]')).toEqual([]);
  expect(await judge('old', 'dependencies = ["httpx>=0.22,<1"]')).toEqual([expect.stringContaining('CVE-2021-41945')]);
  expect(await judge('open', 'dependencies = ["httpx"]')).toEqual([expect.stringContaining('lowest version')]);
  expect(await judge('unknown', 'dependencies = ["left>=1"]')).toEqual([expect.stringContaining('licence')]);
  expect(directDependencies('dependencies = [\n  "a>=1",\n  "b-c >= 2.3 , <3",\n]')).toEqual([
    { name: 'a', lowest: '1.0.0' },
    { name: 'b-c', lowest: '2.3.0' },
  ]);
});

test('finds the vulnerable versions of the stored advisories in our lock file with these versions', () => {
  const ours = readLockFile(ROOT, consolePackages(ROOT));
  const older = { fastify: '5.8.4', undici: '7.23.0', kysely: '0.28.16', nodemailer: '9.0.6', protobufjs: '7.5.5' };
  const putBack = ours.map((one) =>
    Object.hasOwn(older, one.name) ? { ...one, version: older[one.name as keyof typeof older] } : one,
  );
  const { failures } = judgeVulnerabilities(vulnerabilitiesOf(putBack, readAdvisories().advisories), [], NOW);
  for (const name of Object.keys(older)) expect(failures.filter((line) => line.startsWith(`${name} `))).not.toEqual([]);
  expect(judgeVulnerabilities(vulnerabilitiesOf(ours, readAdvisories().advisories), [], NOW).failures).toEqual([]);
  expect(judgeLicences(ROOT, ours, readPolicy()).failures).toEqual([]);
});
