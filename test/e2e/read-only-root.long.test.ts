import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { ensureOperatorKey } from '#deploy/operator-key.ts';
import { LOCAL_TOPICS } from '#schemas/topics.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, useKafka, usePostgres } from '#test/support/use-services.ts';

/** Runs the roles of a cluster on a read-only file system without a home directory, as in containers. */

const [kafka, clickhouse, postgres] = await Promise.all([
  useKafka(),
  useClickHouse(),
  usePostgres({ migrated: false }),
]);
const home = await mkdtemp(path.join(tmpdir(), 'trapline-read-only-'));
const running: TraplineProcess[] = [];
afterAll(async () => {
  await Promise.all(running.map((process) => process.endAll()));
  await removeHome(home);
});

/** Command prefix that makes every mount of a new namespace read-only and then executes the command. */
const READ_ONLY = [
  'unshare',
  // Root runs without a user namespace, whose root may not open the sockets of other accounts.
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  '--mount',
  '--',
  'sh',
  '-euc',
  'for target in $(findmnt --raw --noheadings --output TARGET --types nosysfs,noproc,nocgroup,nocgroup2); do mount -o remount,bind,ro "$target" 2>&1 || :; done; ' +
    'if touch "$1/probe" 2>/dev/null; then echo "the file system can be written to"; exit 9; fi; shift; exec "$@"',
  'sh',
  home,
];

const SECRETS = { AUTH_SECRET: 'a'.repeat(40), JWT_SECRET: 'j'.repeat(40) };

async function start(role: string, over: Readonly<Record<string, string>> = {}): Promise<TraplineProcess> {
  const settings = await cluster;
  const process = await startTrapline(
    [role],
    { ...settings, HOME: '/nowhere', TMPDIR: '/nowhere', TRAPLINE_DATA_DIR: '/nowhere/data', ...over },
    home,
    [],
    READ_ONLY,
  );
  running.push(process);
  return process;
}

const cluster = clusterSettings(kafka, clickhouse).then((settings) => ({ ...settings, DATABASE_URL: postgres.url }));

test('migrate, api, ingest and worker need no writable folder', async () => {
  const migrate = await start('migrate');
  expect(await migrate.exited, migrate.output()).toBe(0);
  const [api, ingest, worker] = await Promise.all([
    start('api', SECRETS),
    start('ingest', { TRAPLINE_SEAT: 'ingest-3' }),
    start('worker', SECRETS),
  ]);
  await Promise.all([
    api?.logged('api is running'),
    ingest?.logged('ingest is running'),
    worker?.logged('worker is running'),
  ]);
  expect(await api?.log()).toContain('files and large results cannot be stored: set S3_BUCKET');
  for (const process of [api, ingest, worker]) {
    await process?.stop(60_000);
    expect(await process?.exited).toBe(0);
  }
});

test('an api without Kafka stores events under the name of its seat, and uses a mounted operator key', async () => {
  const dataDir = path.join(home, 'data');
  const key = await ensureOperatorKey(dataDir);
  const api = await start('api', { ...SECRETS, KAFKA_BROKERS: '', TRAPLINE_SEAT: 'api-7', TRAPLINE_DATA_DIR: dataDir });
  const { url } = JSON.parse(await api.logged('api is running')) as { url: string };
  const response = await fetch(`${url}/api/events`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        version: 'V1',
        timestamp: '2026-03-01T00:00:00Z',
        hostname: 'web',
        event: { type: 'ConfigMismatch', key: 'net.core.somaxconn', expected_value: '1', observed_value: '2' },
      },
    ]),
  });
  expect(await response.json()).toMatchObject({ accepted: 1 });
  const client = createClickHouse(clickhouse);
  const rows = await client.rows('read the topics', `SELECT topic FROM ${client.table('events')}`);
  await client.close();
  expect(rows).toEqual([{ topic: `${LOCAL_TOPICS.http}.api-7` }]);
  await api.stop(60_000);
});

test.each([
  ['api', {}, 'AUTH_SECRET is not set, and the data directory /nowhere/data cannot be made (EROFS)'],
  ['start', { KAFKA_BROKERS: '' }, 'the data directory /nowhere/data cannot be made (EROFS): set TRAPLINE_DATA_DIR'],
])('%s that needs one ends with the name of the setting', async (role, over, message) => {
  const process = await start(role, over);
  expect(await process.exited).toBe(2);
  expect(process.output()).toContain(message);
  expect(process.output()).not.toContain('    at ');
});
