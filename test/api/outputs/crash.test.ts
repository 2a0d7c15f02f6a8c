import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { randomName, useClickHouse, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { fresh, outputsOf, QUICK, SECRET } from './fixture.ts';
import { httpReceiver, syslogServer } from './receivers.ts';

const PROCESS = fileURLToPath(new URL('outputs-process.ts', import.meta.url));
const service = await useClickHouse();
const { database, url } = await usePostgres();
const DETECTIONS = 120;
const KILLS = 3;
/** Application name of the connections of the killed processes. */
const NAME = randomName('outputs');

function named(database: string): string {
  const address = new URL(database);
  address.searchParams.set('application_name', NAME);
  return address.href;
}

test('while processes are killed repeatedly, every receiver gets everything in order; duplicates were in flight', async () => {
  const clickhouse = createClickHouse(service);
  onTestFinished(() => clickhouse.close());
  await migrate(clickhouse);
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-outputs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = createLandingStore({ clickhouse });
  const random = seededRandom(20_260_301);
  const webhook = await httpReceiver();
  const syslog = await syslogServer();
  const outputs = outputsOf(clickhouse, database, { files: { folder } });
  const secrets = { signingKey: 'a key of the tests, long enough' };
  await outputs.make({ type: 'webhook', name: 'hook', settings: { url: webhook.url }, secrets });
  const settings = { host: '127.0.0.1', port: syslog.port, tls: false, format: 'json' };
  await outputs.make({ type: 'syslog', name: 'log', settings });
  await outputs.make({ type: 'file', name: 'file', settings: { name: 'siem.ndjson' } });

  const config = JSON.stringify(QUICK);
  const start = (): SupervisedProcess =>
    supervise({
      command: process.execPath,
      args: [PROCESS, named(url), JSON.stringify(service), SECRET, config, folder],
      logFile: path.join(folder, `${randomName('outputs')}.log`),
    });
  const processes = [start(), start()];
  const seenOf = (texts: readonly string[]) => texts.map((text) => /det_\d{32}/.exec(text)?.[0] ?? '');
  const received = () => [seenOf(webhook.taken.map(({ body }) => body)), seenOf(syslog.frames)];
  const distinct = () => received().map((ids) => new Set(ids).size);
  let landed = 0;
  for (let kills = 0; kills < KILLS; kills += 1) {
    const portion = DETECTIONS / KILLS;
    await store.landDetections(Array.from({ length: portion }, () => fresh()));
    landed += portion;
    const enough = landed - portion * random.next();
    await waitFor('some of them', () => distinct().some((count) => count >= enough), { everyMs: 2 });
    await Promise.all(processes.map((one) => one.kill9()));
    // All statements that they had sent have ended, so none of them takes a lease later.
    await waitFor('the end of their connections', async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity WHERE application_name = ${NAME}`.execute(database);
      return rows.length === 0;
    });
    // Expires the leases of killed processes. They are so long that no living process loses one, and waiting would take
    // too long.
    await sql`UPDATE outputs SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`.execute(
      database,
    );
    processes.splice(0, 2, start(), start());
  }
  await waitFor('all of them', () => distinct().every((count) => count === DETECTIONS));
  await waitFor('the file', async () => {
    const text = await readFile(path.join(folder, 'siem.ndjson'), 'utf8');
    return new Set(seenOf(text.trimEnd().split('\n'))).size === DETECTIONS;
  });
  await Promise.all(processes.map((one) => one.kill9()));
  const journal = await database.selectFrom('outputMessages').select('detectionId').orderBy('seq').execute();
  const lines = (await readFile(path.join(folder, 'siem.ndjson'), 'utf8')).trimEnd().split('\n');
  const inOrder = journal.map(({ detectionId }) => detectionId);
  expect(inOrder).toHaveLength(DETECTIONS);
  const [hook = [], log = []] = received();
  expect([...new Set(hook)]).toEqual(inOrder);
  expect([...new Set(log)]).toEqual(inOrder);
  // A file can be read, so the text written by a killed process is detected. A line truncated by its death stays as a
  // separate line.
  const whole = lines.filter((line) => line.endsWith('}'));
  expect(seenOf(whole)).toEqual(inOrder);
  // One request of the webhook and one syslog batch for each killed process.
  expect(hook.length - DETECTIONS).toBeLessThanOrEqual(KILLS);
  expect(log.length - DETECTIONS).toBeLessThanOrEqual(KILLS * 50);
});
