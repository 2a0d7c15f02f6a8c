import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import type { Manifest } from '#deploy/backup/manifest.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { TOPICS } from '#schemas/topics.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { MAIN, removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, useKafka, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

/** `trapline backup` while events arrive, and `trapline restore` into stores that hold nothing. */

let home: string;
const running: TraplineProcess[] = [];
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-backup-'));
});
afterAll(async () => {
  await Promise.all(running.map((process) => process.endAll()));
  await removeHome(home);
});

type Settings = Readonly<Record<string, string>>;

async function start(settings: Settings, folder: string): Promise<TraplineProcess> {
  await mkdir(folder, { recursive: true });
  const started = await startTrapline(['start', '--no-demo'], { LOG_LEVEL: 'warn', ...settings }, folder);
  running.push(started);
  await started.logged('Trapline serves');
  return started;
}

/** Runs a command and resolves to what it printed; its exit code does not matter. */
async function trapline(args: readonly string[], settings: Settings): Promise<{ code: number; text: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: home, ...settings };
  return promisify(execFile)(process.execPath, [MAIN, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
}

/** Crashes of one program at growing addresses, each with a number: a detection, and one event of each number. */
const crash = (n: number) =>
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

describe('on servers', () => {
  it('a backup under load is restored, and Kafka delivers what came after it', { timeout: 300_000 }, async () => {
    const [kafka, clickhouse, empty, original, fresh] = await Promise.all([
      useKafka(),
      useClickHouse(),
      useClickHouse(),
      usePostgres({ migrated: false }),
      usePostgres({ migrated: false }),
    ]);
    const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers: kafka.brokers } });
    const [first, second] = [createClickHouse(clickhouse), createClickHouse(empty)];
    try {
      const shared = {
        ...(await clusterSettings(kafka, clickhouse)),
        ...sharedSecrets(),
      };
      const topic = shared.TRAPLINE_TOPIC_PREFIX + TOPICS.events;
      const before = { ...shared, DATABASE_URL: original.url };
      const after = { ...shared, DATABASE_URL: fresh.url, CLICKHOUSE_DATABASE: empty.database };
      const service = await start(before, path.join(home, 'before'));
      await changeSomething(service, before);

      let sent = 0;
      const send = async (events: number) => {
        const messages = Array.from({ length: events }, () => ({ key: 'key', value: crash(sent++) }));
        await producer.send(topic, messages);
      };
      await send(300);
      await waitFor('the first events', async () => (await countOf(first)).rows >= 300);
      const examined = await trapline(['doctor', '--cluster', '--output', 'json'], {
        ...before,
        TRAPLINE_DATA_DIR: service.dataDir,
      });
      const checks = JSON.parse(examined.text) as { check: string; state: string; found: string }[];
      const found = (name: string) => checks.find(({ check }) => check === name);
      expect(found('processes')).toMatchObject({ state: 'fine', found: '1 start' });
      expect(found('secrets of processes')).toMatchObject({ state: 'fine', found: 'the same in all of 1' });
      expect(found('versions of processes')).toMatchObject({ state: 'fine' });
      expect(found('Kafka lag by partition')?.found).toContain('in 2 partitions');
      expect(found('TLS certificates')).toMatchObject({ state: 'fine', found: 'no connection uses TLS' });

      let traffic = true;
      const sending = (async () => {
        while (traffic) await send(10).then(() => pause(20));
      })();
      const folder = path.join(home, 'backup');
      const dataDir = service.dataDir;
      const destination = `file:${await backupFolderOf(first)}/${clickhouse.database}`;
      const taken = await trapline(['backup', folder, '--clickhouse-to', destination], {
        ...before,
        TRAPLINE_DATA_DIR: dataDir,
      });
      traffic = false;
      await sending;
      expect(taken).toMatchObject({ code: 0, text: expect.stringContaining('The secrets are not in it') });
      await send(100);
      await waitFor('all events', async () => (await countOf(first)).rows === sent);
      await service.stop(60_000);

      const target = { ...after, TRAPLINE_DATA_DIR: path.join(home, 'after', 'data') };
      const otherSecret = await trapline(['restore', folder], { ...target, ...sharedSecrets() });
      expect(otherSecret).toMatchObject({ code: 2, text: expect.stringContaining('AUTH_SECRET is not the one') });
      const restored = await trapline(['restore', folder, '--verify'], target);
      expect(restored.text).toContain('restored and verified');
      expect(restored.text).toMatch(/audit log: [1-9]\d* entries, the chain is whole/);
      expect(restored.text).toContain(`Kafka: the group ${shared.TRAPLINE_GROUP_ID} continues in ${topic}`);
      const inBackup = await countOf(second);
      expect(inBackup.rows).toBeGreaterThanOrEqual(300);
      expect(inBackup.rows).toBeLessThan(sent);
      expect(await trapline(['restore', folder], target)).toMatchObject({
        code: 1,
        text: expect.stringContaining('--replace deletes them'),
      });

      await start(after, path.join(home, 'after'));
      await waitFor('the events after the backup', async () => (await countOf(second)).rows >= sent);
      expect(await countOf(second)).toEqual({ rows: sent, numbers: sent });
      const stored = await waitFor('the same detections', async () => {
        const [one, other] = await Promise.all([detectionsOf(first), detectionsOf(second)]);
        return JSON.stringify(one) === JSON.stringify(other) && one;
      });
      expect(stored.length).toBeGreaterThan(0);
    } finally {
      await Promise.all([first.close(), second.close(), producer.close()]);
      await Promise.all(running.splice(0).map((process) => process.endAll()));
    }
  });
});

describe('on the embedded engines', () => {
  it('a backup of the running service is restored into an empty data directory', { timeout: 300_000 }, async () => {
    const service = await start({}, path.join(home, 'source'));
    const source = service.dataDir;
    await changeSomething(service);
    const { url, key } = await addressOf(service);
    let traffic = true;
    let sent = 0;
    const sending = (async () => {
      while (traffic) {
        const body = Array.from({ length: 20 }, () => `${crash(sent++)}\n`).join('');
        const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
        expect((await fetch(`${url}/api/events`, { method: 'POST', body, headers })).status).toBe(200);
        await pause(20);
      }
    })();
    await waitFor('some events', () => sent > 40);
    const folder = path.join(home, 'embedded');
    const taken = await trapline(['backup', folder], { TRAPLINE_DATA_DIR: source });
    traffic = false;
    await sending;
    expect(taken.code, taken.text).toBe(0);
    expect(await readdir(path.join(source, 'clickhouse', 'data', 'backups'))).toEqual([]);
    const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const text = JSON.stringify(manifest);
    for (const name of ['auth.secret', 'jwt.secret', 'operator.key'])
      expect(text).not.toContain((await readFile(path.join(source, name), 'utf8')).trim());
    await service.stop(60_000);

    const target = path.join(home, 'target', 'data');
    await mkdir(target, { recursive: true });
    const settings = { TRAPLINE_DATA_DIR: target };
    expect(await trapline(['restore', folder], settings)).toMatchObject({
      code: 2,
      text: expect.stringContaining('AUTH_SECRET is not set'),
    });
    for (const name of ['auth.secret', 'jwt.secret']) await cp(path.join(source, name), path.join(target, name));

    const file = manifest.files.find((one) => /^clickhouse\/events\/.*\.bin$/.test(one.path));
    const damaged = path.join(folder, file?.path ?? '');
    await flipByte(damaged);
    expect(await trapline(['restore', folder], settings)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${file?.path} was changed`),
    });
    expect(await readdir(target)).toEqual(expect.not.arrayContaining(['clickhouse', 'postgres']));
    await flipByte(damaged);

    const restored = await trapline(['restore', folder, '--verify'], settings);
    expect(restored.text).toContain('restored and verified');
    expect(restored.text).toMatch(/rows of events: [1-9]\d*, as in the backup/);
    const again = await start({}, path.join(home, 'target'));
    const there = await addressOf(again);
    const response = await fetch(`${there.url}/api/admin/audit-log/verify`, { headers: { 'x-api-key': there.key } });
    expect(await response.json()).toMatchObject({ broken: null, verified: manifest.postgres.audit.entries });

    await rm(path.join(folder, 'complete'));
    expect(await trapline(['restore', folder, '--check'], settings)).toMatchObject({
      code: 1,
      text: expect.stringContaining('no complete backup'),
    });
  });
});

async function addressOf({ dataDir }: TraplineProcess): Promise<{ url: string; key: string }> {
  const { url } = JSON.parse(await readFile(path.join(dataDir, 'server.json'), 'utf8')) as { url: string };
  return { url, key: (await readFile(path.join(dataDir, 'operator.key'), 'utf8')).trim() };
}

/** Makes an account, and with it an entry in the audit log. */
async function changeSomething({ dataDir }: TraplineProcess, settings: Settings = {}): Promise<void> {
  const account = ['--email', 'ada@example.org', '--username', 'ada', '--role', 'analyst'];
  const made = await trapline(['users', 'create', ...account], { ...settings, TRAPLINE_DATA_DIR: dataDir });
  expect(made.code, made.text).toBe(0);
}

/** The folder that the server may write backups to, by its own name. */
async function backupFolderOf(clickhouse: ClickHouse): Promise<string> {
  const [disk] = await clickhouse.rows<{ path: string }>('find its disk', 'SELECT path FROM system.disks LIMIT 1');
  return `${disk?.path}backups`;
}

async function countOf(clickhouse: ClickHouse): Promise<{ rows: number; numbers: number }> {
  const [row] = await clickhouse.rows<{ rows: string; numbers: string }>(
    'count the events',
    `SELECT count() AS rows, uniqExact(JSONExtractInt(raw, 'n')) AS numbers FROM ${clickhouse.table('events')}`,
  );
  return { rows: Number(row?.rows), numbers: Number(row?.numbers) };
}

/** Ids and last revisions. */
function detectionsOf(clickhouse: ClickHouse): Promise<object[]> {
  return clickhouse.rows(
    'list the detections',
    `SELECT id, revision, crashes, lastSeen FROM ${clickhouse.table('detections')} ORDER BY id`,
  );
}

async function flipByte(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: 50 });
  buffer[0] = (buffer[0] ?? 0) ^ 1;
  await handle.write(buffer, 0, 1, 50);
  await handle.close();
}
