import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCoreLimit, setCoreLimit } from '#ingest/detector/core-limit.ts';
import { SETTINGS } from '#ingest/detector/settings.ts';
import { createSettingsWatch, type SettingsWatch } from '#ingest/detector/settings-watch.ts';
import { waitFor } from '#test/support/wait-for.ts';

const SIGNALS = 'proc/sys/kernel/print-fatal-signals';
const RATE = 'proc/sys/kernel/printk_ratelimit';
const PATTERN = 'proc/sys/kernel/core_pattern';
const SUID = 'proc/sys/fs/suid_dumpable';
const LIMITS = 'proc/1/limits';
const limits = (soft: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max stack size            8388608              unlimited            bytes     ',
    `Max core file size        ${soft.padEnd(20)} unlimited            bytes     `,
    'Max resident set          unlimited            unlimited            bytes     ',
  ].join('\n');
const DEFAULTS: Record<string, string> = {
  [SIGNALS]: '0',
  'proc/sys/debug/exception-trace': '1',
  [RATE]: '5',
  'proc/sys/kernel/printk_ratelimit_burst': '10',
  'sys/module/printk/parameters/time': 'Y',
  [PATTERN]: '|/usr/lib/systemd/systemd-coredump %P',
  [SUID]: '2',
  [LIMITS]: limits('unlimited'),
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trapline-settings-'));
  for (const [path, value] of Object.entries(DEFAULTS)) await set(path, value);
});
afterEach(() => rm(root, { recursive: true }));

async function set(path: string, value: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), `${value}\n`);
}
const get = async (path: string): Promise<string> => (await readFile(join(root, path), 'utf8')).trim();

const messages: string[] = [];
function watch(configure: boolean, configured: Record<string, string> = {}): SettingsWatch {
  messages.length = 0;
  return createSettingsWatch(
    { root, hostname: 'h', configure, configured },
    (_level, fields, message) => messages.push(`${fields.key}: ${message}`),
    () => 0,
  );
}
const event = (key: string, expected_value: string, observed_value: string): object => ({
  version: 'V1',
  timestamp: '1970-01-01T00:00:00.000Z',
  hostname: 'h',
  event: { type: 'ConfigMismatch', key, expected_value, observed_value },
});

test('on command, sets only settings that hide evidence', async () => {
  await set(RATE, '0');
  const settings = watch(true);
  expect(await settings.start()).toEqual([]);
  expect(await get(SIGNALS)).toBe('1');
  expect(await get(RATE)).toBe('0');
  expect(messages).toEqual(['kernel.print-fatal-signals: setting changed on command']);
  expect(settings.configured['kernel.print-fatal-signals']).toBe('1');
});

test('a later difference is reported once for each change, and again after it was corrected', async () => {
  const settings = watch(true);
  await settings.start();
  expect(await settings.check()).toEqual([]);
  await set(SIGNALS, '0');
  expect(await settings.check()).toEqual([event('kernel.print-fatal-signals', '1', '0')]);
  expect(await settings.check()).toEqual([]);
  await set(SIGNALS, '2');
  expect(await settings.check()).toEqual([event('kernel.print-fatal-signals', '1', '2')]);
  await set(SIGNALS, '1');
  expect(await settings.check()).toEqual([]);
  await set(SIGNALS, '0');
  await set(RATE, '600');
  expect(await settings.check()).toEqual([
    event('kernel.print-fatal-signals', '1', '0'),
    event('kernel.printk_ratelimit', '5', '600'),
  ]);
});

test('without the command it changes nothing, reports settings that hide evidence, and distinguishes changes from the initial state', async () => {
  const settings = watch(false);
  expect(await settings.start()).toEqual([]);
  expect(await get(SIGNALS)).toBe('0');
  expect(messages).toEqual(['kernel.print-fatal-signals: setting hides evidence']);
  await set('proc/sys/debug/exception-trace', '0');
  expect(await settings.check()).toEqual([event('debug.exception-trace', '1', '0')]);
});

test('a setting that was changed while no detector ran is reported at the next start', async () => {
  const first = watch(true);
  await first.start();
  await set(SIGNALS, '0');
  const second = watch(false, first.configured);
  expect(await second.start()).toEqual([event('kernel.print-fatal-signals', '1', '0')]);
  expect(await second.check()).toEqual([]);
  const third = watch(true, second.configured);
  expect(await third.start()).toEqual([event('kernel.print-fatal-signals', '1', '0')]);
  expect(await get(SIGNALS)).toBe('1');
});

test('reports and skips a setting that the machine does not have', async () => {
  await rm(join(root, 'sys'), { recursive: true });
  const settings = watch(true);
  await settings.start();
  expect(messages).toContain('printk.time: setting not found on this machine: it is not watched');
  expect(await settings.check()).toEqual([]);
});

test('on command, enables core dumps that are discarded', async () => {
  await set(PATTERN, '');
  await set(SUID, '0');
  const settings = watch(true);
  expect(await settings.start()).toEqual([]);
  expect(await get(PATTERN)).toBe('core');
  // The kernel rejects a relative core pattern for privileged programs.
  expect(await get(SUID)).toBe('0');
  expect(messages).toContain('kernel.core_pattern: setting changed on command');
  expect(messages).toContain('fs.suid_dumpable: setting left unchanged');
  expect(settings.configured).toMatchObject({ 'kernel.core_pattern': 'core', 'fs.suid_dumpable': '0' });
});

test.each(['|/usr/lib/systemd/systemd-coredump %P', '/var/crash/core.%e.%p'])(
  'with the core pattern %j privileged programs leave cores on command',
  async (pattern) => {
    await set(PATTERN, pattern);
    await set(SUID, '0');
    await watch(true).start();
    expect([await get(PATTERN), await get(SUID)]).toEqual([pattern, '2']);
  },
);

test('a limit of 0 hides core dumps, unless a program receives them', async () => {
  await set(LIMITS, limits('0'));
  await watch(false).start();
  expect(messages).toEqual(['kernel.print-fatal-signals: setting hides evidence']);
  await set(PATTERN, 'core');
  await watch(false).start();
  expect(messages).toContain('RLIMIT_CORE: setting hides evidence');
});

test('core settings that are changed later are reported', async () => {
  const settings = watch(true);
  await settings.start();
  await set(PATTERN, '/dev/null');
  await set(SUID, '0');
  await set(LIMITS, limits('0'));
  expect(await settings.check()).toEqual([
    event('kernel.core_pattern', '|/usr/lib/systemd/systemd-coredump %P', '/dev/null'),
    event('fs.suid_dumpable', '2', '0'),
    event('RLIMIT_CORE', 'unlimited', '0'),
  ]);
});

test('the core limit of a running process is read and set', async () => {
  const child = spawn('/bin/sh', ['-c', 'ulimit -S -c 0; read line'], { stdio: ['pipe', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const pid = child.pid as number;
  try {
    await waitFor('the limit of the shell', async () => (await readCoreLimit('/', pid)) === '0');
    await setCoreLimit(pid, 'unlimited');
    expect(await readCoreLimit('/', pid)).toBe('unlimited');
  } finally {
    child.stdin.end();
    await exited;
  }
});

test('every setting states why it matters', () => {
  for (const { why, wanted, good } of SETTINGS) {
    expect(why.length).toBeGreaterThan(30);
    expect(good(wanted, new Map())).toBe(true);
  }
});
