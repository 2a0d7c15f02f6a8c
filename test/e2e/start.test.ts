import { execFile } from 'node:child_process';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Detection } from '#schemas/detection.ts';
import { numberedRecords } from '#test/support/numbered-records.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';

/** Tests `npm start` as a new user runs it, with the embedded engine. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A shell without settings that would direct a command to the server. */
const WITHOUT_SETTINGS = { PATH: process.env.PATH, HOME: process.env.HOME };

let home: string;
let server: TraplineProcess | undefined;
beforeAll(async () => {
  // The path contains an apostrophe and a space, so printed commands must quote it.
  home = await mkdtemp(path.join(tmpdir(), "trapline's start-"));
});
afterEach(async () => {
  await server?.endAll();
});
afterAll(() => removeHome(home));

async function start(...args: string[]): Promise<TraplineProcess> {
  server = await startTrapline(['start', ...args], { LOG_LEVEL: 'warn' }, home);
  await server.logged('Trapline serves');
  return server;
}

async function call(route: string, init: RequestInit = {}): Promise<Response> {
  const { url } = JSON.parse(await readFile(path.join(home, 'data', 'server.json'), 'utf8')) as { url: string };
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  return fetch(url + route, { ...init, headers: { 'x-api-key': key, ...init.headers } });
}

async function lines<T>(route: string): Promise<T[]> {
  const text = await (await call(`${route}${route.includes('?') ? '&' : '?'}format=ndjson`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

async function post(events: readonly Buffer[], key?: string): Promise<{ accepted: number; rejected: unknown[] }> {
  const response = await call('/api/events', {
    method: 'POST',
    body: Buffer.concat(events.flatMap((event) => [event, Buffer.from('\n')])),
    headers: { 'content-type': 'application/x-ndjson', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });
  expect(response.status).toBe(200);
  return response.json() as Promise<{ accepted: number; rejected: unknown[] }>;
}

describe('trapline start', () => {
  it('replays a real attack at the first start, shows it as one detection, and removes it on request', async () => {
    const process = await start();
    expect(process.output()).toContain('Replayed 171 events of a real attack');
    const detections = await lines<Detection>('/api/detections');
    expect(detections.map(({ rule, hostname, procname }) => [rule.id, hostname, procname])).toEqual([
      ['instruction-pointer-probe', 'demo', 'edge-gw'],
    ]);
    // The replay has ended and its source is closed. Health still reports the time of its last batch.
    const { landing } = (await (await call('/api/health')).json()) as { landing: { lastAt: string | null } };
    expect(Date.parse(landing.lastAt ?? '')).toBeGreaterThan(0);
    const printed = process.output().split('\n');
    for (const [line, shown] of [
      ['query detections', 'instruction-pointer-probe'],
      ['query events', 'edge-gw'],
      ['curl -H', 'instruction-pointer-probe'],
    ] as const) {
      const command = printed.find((text) => text.startsWith('  ') && text.includes(line)) ?? 'false';
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: ROOT, env: WITHOUT_SETTINGS });
      expect(stdout, command).toContain(shown);
    }
    expect(printed.find((text) => text.includes('Remove it with'))).toContain('--data-dir');
    expect((await call('/api/demo', { method: 'DELETE' })).status).toBe(204);
    expect(await lines('/api/detections')).toEqual([]);
    expect(await lines('/api/events')).toEqual([]);
    expect((await stat(path.join(home, 'data', 'operator.key'))).mode & 0o777).toBe(0o600);
  });

  it('replays nothing at the second start, keeps the key, rejects sharing its data directory, and stops with SIGTERM', async () => {
    const key = await readFile(path.join(home, 'data', 'operator.key'), 'utf8');
    const process = await start();
    expect(await lines('/api/events')).toEqual([]);
    expect(await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).toBe(key);
    const second = await startTrapline(['start'], {}, home);
    expect(await second.exited).not.toBe(0);
    await second.logged('is in use by process');
    await process.stop(60_000);
    expect(await process.exited).toBe(0);
  });

  it('keeps everything acknowledged after kill -9, and recognizes repeats', async () => {
    const records = numberedRecords(seededRandom(11), 0, 1200, 'e2e').map(({ value }) =>
      value.filter((byte) => byte !== 10),
    );
    const process = await start();
    const answers = [];
    for (let from = 0; from < 1200; from += 300) {
      answers.push(
        await post(
          records.slice(from, from + 300).map((value) => Buffer.from(value)),
          `batch-${from}`,
        ),
      );
    }
    await process.kill9();
    await process.endAll();

    await start();
    const before = await lines<{ event: { n: number } }>('/api/events');
    expect(before).toHaveLength(answers.reduce((sum, { accepted }) => sum + accepted, 0));
    expect(
      await post(
        records.slice(900).map((value) => Buffer.from(value)),
        'batch-900',
      ),
    ).toEqual(answers[3]);
    expect(await lines('/api/events')).toHaveLength(before.length);
    expect(new Set(before.map(({ event }) => event.n)).size).toBe(before.length);
    expect(await lines('/api/dead-letters')).toHaveLength(1200 - before.length);
  });
});
