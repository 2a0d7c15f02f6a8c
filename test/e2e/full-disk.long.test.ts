import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { smallDisk } from '#test/support/small-disk.ts';
import { MAIN } from '#test/support/trapline-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

/**
 * Regression: with a full disk no events were stored, but health and readiness reported no fault, because ClickHouse
 * still answers `SELECT 1`.
 */

const disk = await smallDisk(512);
let server: SupervisedProcess;
let pid: number;
let url: string;
let key: string;

beforeAll(async () => {
  const { url: databaseUrl } = await usePostgres({ migrated: false });
  const { command, args } = disk.wrap;
  server = supervise({
    command,
    args: [...args, process.execPath, MAIN, 'start', '--no-demo'],
    logFile: path.join(disk.home, 'output.log'),
    removeAtEnd: disk.home,
    env: {
      PORT: '0',
      LOG_LEVEL: 'warn',
      TRAPLINE_DATA_DIR: disk.folder,
      TRAPLINE_SUBMIT_TIMEOUT_MS: '1500',
      DATABASE_URL: databaseUrl,
    },
  });
  pid = await server.pid;
  const inside = (name: string) => readFile(path.join(`/proc/${pid}/root`, disk.folder, name), 'utf8');
  const announced = await waitFor('the server', async () => JSON.parse(await inside('server.json')) as { url: string });
  url = announced.url;
  key = (await inside('operator.key')).trim();
});
afterAll(() => server.endAll());

interface Health {
  readonly status: string;
  readonly checks: { readonly clickhouse: string; readonly postgres: string };
  readonly disk: string;
  readonly landing: { readonly state: string; readonly lastAt: string | null };
}

async function get<T>(at: string): Promise<T> {
  return (await (await fetch(url + at, { headers: { 'x-api-key': key } })).json()) as T;
}
const health = () => get<Health>('/api/health');
const ready = () => get<{ status: string; components: Record<string, string> }>('/readyz');

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } })).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1),
  );
}

const OF_A_BATCH = 50;

/** Sends batch `n` with its own idempotency key. */
async function post(n: number): Promise<{ status: number; message: string }> {
  const events = Array.from(
    { length: OF_A_BATCH },
    (_, i) =>
      `{"version":"V1","n":${n * OF_A_BATCH + i},"timestamp":"2026-03-01T00:00:00Z","hostname":"h","event":{"type":"ConfigMismatch","key":"k","expected_value":"1","observed_value":"2"}}`,
  );
  const response = await fetch(`${url}/api/events`, {
    method: 'POST',
    body: events.join('\n'),
    headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson', 'idempotency-key': `batch-${n}` },
  });
  const { issues = [] } = (await response.json()) as { issues?: { message: string }[] };
  return { status: response.status, message: issues.map(({ message }) => message).join() };
}

async function stored(): Promise<number[]> {
  const text = await (await fetch(`${url}/api/events?format=v1`, { headers: { 'x-api-key': key } })).text();
  const numbers = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { n: number }).n);
  return numbers.sort((a, b) => a - b);
}

test('reports it in health, rejects events, and stores everything once when space is free again', async () => {
  expect(await post(0)).toMatchObject({ status: 200 });
  const before = await health();
  expect(before).toMatchObject({
    status: 'ok',
    checks: { clickhouse: 'embedded' },
    disk: 'ok',
    landing: { state: 'ok' },
  });
  expect(Date.parse(before.landing.lastAt ?? '')).toBeGreaterThan(0);

  await disk.fill(pid, 0);
  await waitFor('health to see the disk', async () => (await health()).disk === 'low');
  expect(await health()).toMatchObject({ status: 'degraded' });
  expect(await metric('trapline_disk_free_bytes{disk="data directory"}')).toBeLessThan(2 ** 20);

  const waiting = await post(1);
  expect(waiting).toMatchObject({ status: 503, message: expect.stringContaining('not confirmed as stored') });
  await waitFor('health to see that inserts fail', async () => (await health()).landing.state === 'failing');
  expect(await health()).toMatchObject({ status: 'degraded', checks: { clickhouse: 'down', postgres: 'ok' } });
  expect(await ready()).toMatchObject({ status: 'degraded', components: { clickhouse: 'degraded', disk: 'degraded' } });
  expect(await metric('trapline_landing_failing_seconds')).toBeGreaterThan(0);
  expect(await post(2)).toMatchObject({ status: 503, message: expect.stringContaining('nothing was accepted') });

  await disk.empty(pid);
  await waitFor('health to be well again', async () => (await health()).status === 'ok');
  // Clients repeat batches that were not confirmed and batches that were rejected.
  for (const n of [1, 2, 3]) expect(await post(n)).toMatchObject({ status: 200 });
  expect(await stored()).toEqual(Array.from({ length: 4 * OF_A_BATCH }, (_, i) => i));
  expect(await ready()).toMatchObject({ status: 'ok' });
});
