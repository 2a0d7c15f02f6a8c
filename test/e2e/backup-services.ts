import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { MAIN, removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';

/**
 * Helpers of the tests of `trapline backup` and `trapline restore`: services in a folder of the test file, commands,
 * and numbered crashes.
 */

let home: string;
const running: TraplineProcess[] = [];
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-backup-'));
});
afterAll(async () => {
  await endServices();
  await removeHome(home);
});

/** Returns the path of a folder or file in the folder of this test file. */
export const inHome = (...names: readonly string[]): string => path.join(home, ...names);

export async function endServices(): Promise<void> {
  await Promise.all(running.splice(0).map((process) => process.endAll()));
}

export type Settings = Readonly<Record<string, string>>;

/** Starts a service without the bundled attack, in its own folder. */
export async function start(settings: Settings, folder: string): Promise<TraplineProcess> {
  await mkdir(folder, { recursive: true });
  const started = await startTrapline(['start', '--no-demo'], { LOG_LEVEL: 'warn', ...settings }, folder);
  running.push(started);
  await started.logged('Trapline serves');
  return started;
}

/** Runs a command. Resolves to its exit code and output, also when it fails. */
export async function trapline(args: readonly string[], settings: Settings): Promise<{ code: number; text: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: home, ...settings };
  return promisify(execFile)(process.execPath, [MAIN, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
}

/**
 * Returns the V1 event of crash number `n`. Crashes of one program at increasing addresses lead to one detection, and
 * each number to one event.
 */
export const crash = (n: number) =>
  Buffer.from(
    JSON.stringify({
      version: 'V1',
      n,
      timestamp: new Date(Date.UTC(2026, 2, 1) + n * 500).toISOString(),
      hostname: `host-${n % 3}`,
      event: {
        type: 'LinuxKernelTrap',
        level: 'Info',
        facility: 'Kern',
        trap: { type: 'Segfault', location: 4096 + n },
        procname: 'parser',
        pid: 1000 + n,
        ip: 94_577_000_000_000 + n,
        sp: 140_737_000_000_000,
        errcode: {
          reason: 'NoPageFound',
          access_type: 'Read',
          access_mode: 'User',
          use_of_reserved_bit: false,
          instruction_fetch: true,
          protection_keys_block_access: false,
        },
      },
    }),
  );

/** Creates an account, which also adds an entry to the audit log. */
export async function changeSomething({ dataDir }: TraplineProcess, settings: Settings = {}): Promise<void> {
  const account = ['--email', 'ada@example.org', '--username', 'ada', '--role', 'analyst'];
  const made = await trapline(['users', 'create', ...account], { ...settings, TRAPLINE_DATA_DIR: dataDir });
  expect(made.code, made.text).toBe(0);
}

/** Returns the number of stored events, and the number of distinct crash numbers among them. */
export async function countOf(clickhouse: ClickHouse): Promise<{ rows: number; numbers: number }> {
  const [row] = await clickhouse.rows<{ rows: string; numbers: string }>(
    'count the events',
    `SELECT count() AS rows, uniqExact(JSONExtractInt(raw, 'n')) AS numbers FROM ${clickhouse.table('events')}`,
  );
  return { rows: Number(row?.rows), numbers: Number(row?.numbers) };
}

/** Returns the detections with their latest revisions. */
export function detectionsOf(clickhouse: ClickHouse): Promise<object[]> {
  return clickhouse.rows(
    'list the detections',
    `SELECT id, revision, crashes, lastSeen FROM ${clickhouse.table('detections')} ORDER BY id`,
  );
}
