import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { enrol } from '#deploy/detector/enrol.ts';
import { bundleDetector } from '#deploy/packages/detector/bundle.ts';
import { hostFiles, packaged } from '#deploy/packages/detector/host-files.ts';
import { readSettings } from '#deploy/packages/detector/program/settings.ts';
import { runProgram } from '#deploy/packages/detector/run-program.ts';
import { SETTINGS } from '#ingest/detector/settings.ts';
import { removeHome } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY, runApp } from '../../api/running-app.ts';

const LINES = 57;

/** Returns a line of the kernel log for the crash of process `pid`. */
function crashLine(pid: number): string {
  return `[  100.${String(pid).padStart(6, '0')}] app[${pid}]: segfault at 0 ip 00000000deadbeef sp 00007ffe1c5b1a28 error 4 in app[400000+1000]\n`;
}

test('the bundle is one small file that follows a log and posts each crash to a server', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-bundle-'));
  onTestFinished(() => removeHome(home));
  const bundle = path.join(home, 'detector.cjs');
  const log = path.join(home, 'kern.log');
  await bundleDetector(bundle);
  expect((await stat(bundle)).size).toBeLessThan(200 * 1024);
  expect(await readFile(bundle, 'utf8')).not.toMatch(/kafkajs|TRAPLINE_DETECTOR_VERSION/);

  const { url, texts } = await runApp();
  await writeFile(path.join(home, 'api-key'), `${OPERATOR_KEY}\n`);
  const args = ['--from', log, '--follow', '--boot-time', '2026-03-01T12:00:00Z', '--to', url];
  const env = { PATH: process.env.PATH, TRAPLINE_API_KEY_FILE: path.join(home, 'api-key') };
  const detector = spawn(process.execPath, [bundle, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void detector.kill('SIGKILL'));
  const said: Buffer[] = [];
  detector.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  for (let pid = 1; pid <= LINES; pid++) await appendFile(log, crashLine(pid));
  await waitFor('the events', () => texts().flat().length === LINES || undefined);
  detector.kill('SIGTERM');
  const [code] = (await once(detector, 'exit')) as [number | null];
  expect({ code, said: Buffer.concat(said).toString() }).toEqual({ code: 0, said: '' });
  const pids = texts()
    .flat()
    .map((text) => (JSON.parse(text) as { event: { pid?: unknown } }).event.pid);
  expect(new Set(pids).size).toBe(LINES);
});

test('the unit is hardened: its exposure is below 2.0', async () => {
  const unit = packaged('trapline-detector.service');
  const text = await readFile(unit, 'utf8');
  expect(text).toContain('\nDynamicUser=yes\n');
  expect(text).toContain('\nCapabilityBoundingSet=CAP_SYSLOG\n');
  const analyze = runProgram('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
  // Passes on a machine without systemd, which cannot run the check.
  const reason = await analyze.then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  if (reason?.code !== 'ENOENT') expect(reason).toBeNull();
});

test('the package installs the settings that the detector requires', async () => {
  const text = await readFile(packaged('sysctl.conf'), 'utf8');
  const installed = new Map(
    [...text.matchAll(/^([\w.-]+) = (\S+)$/gm)].map((match) => [match[1] as string, match[2] as string]),
  );
  expect(installed.size).toBe(4);
  for (const [key, value] of installed) {
    const setting = SETTINGS.find((one) => one.key === key);
    expect(setting?.good(value, new Map()), key).toBe(true);
  }
});

test('every file of a host package exists', async () => {
  const executable = process.execPath;
  for (const { from } of hostFiles(executable)) expect((await stat(from)).isFile(), from).toBe(true);
});

test('settings come from the environment, or from what systemd sets', () => {
  expect(readSettings({})).toEqual({ url: null, apiKey: null, dataDir: './.trapline', signalDialect: 'v1' });
  expect(readSettings({ STATE_DIRECTORY: '/var/lib/x', CREDENTIALS_DIRECTORY: '/run/credentials/x' })).toMatchObject({
    dataDir: '/var/lib/x',
    apiKey: { file: '/run/credentials/x/api-key' },
  });
  expect(readSettings({ CREDENTIALS_DIRECTORY: '/run/c', TRAPLINE_API_KEY_FILE: '/etc/k' })).toMatchObject({
    apiKey: { file: '/etc/k' },
  });
  expect(readSettings({ TRAPLINE_API_KEY_FILE: '/etc/k', TRAPLINE_API_KEY: 'a.b' })).toMatchObject({
    apiKey: { value: 'a.b' },
  });
  expect(() => readSettings({ TRAPLINE_SIGNAL_DIALECT: 'x' })).toThrow('TRAPLINE_SIGNAL_DIALECT: must be v1 or short');
});

test('enroll exchanges the token for a key that only its owner can read', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-enrol-'));
  onTestFinished(() => removeHome(home));
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { readonly token: string };
    asked.push({ path: request.url, body });
    const known = body.token === 'tld_good';
    response.writeHead(known ? 201 : 401);
    response.end(JSON.stringify(known ? { apiKey: 'tl_a.b' } : { issues: [{ message: 'the token is unknown' }] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/events`);
  const keyFile = path.join(home, 'api-key');
  const options = { url, hostname: 'web-7', version: '0.1.0', keyFile };
  await expect(enrol({ ...options, token: 'tld_bad' })).rejects.toThrow('401 the token is unknown');
  expect(await readdir(home)).toEqual([]);
  await enrol({ ...options, token: 'tld_good' });
  expect(await readFile(keyFile, 'utf8')).toBe('tl_a.b\n');
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect(asked.at(-1)).toEqual({
    path: '/api/detectors/enrolment',
    body: { token: 'tld_good', hostname: 'web-7', version: '0.1.0' },
  });
});
