import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '#api/postgres/database.ts';
import { noteStates, recentIncidents } from '#api/telemetry/status/incidents.ts';
import { createStatus, judgeIngest, statusOf } from '#api/telemetry/status/status.ts';
import { statusPage } from '#api/telemetry/status/status-page.ts';
import { usePostgres } from '#test/support/use-services.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});

const NOW = Date.parse('2026-03-01T12:00:00Z');
const INGEST = { lagRecords: 0, lastEventMs: NOW - 1_000 };

test('ingest is down while records wait and none is stored, and degraded with a large lag', () => {
  expect(judgeIngest(INGEST, NOW)).toBe('ok');
  expect(judgeIngest({ lagRecords: null, lastEventMs: null }, NOW)).toBe('ok');
  expect(judgeIngest({ lagRecords: 100_001, lastEventMs: NOW - 1_000 }, NOW)).toBe('degraded');
  expect(judgeIngest({ lagRecords: 1, lastEventMs: NOW - 300_001 }, NOW)).toBe('down');
  expect(judgeIngest({ lagRecords: 1, lastEventMs: null }, NOW)).toBe('down');
});

test('the status is that of the worst component, each since its incident began or ended', () => {
  const at = (minutes: number) => new Date(NOW - minutes * 60_000);
  const incidents = [
    { component: 'kafka', state: 'down', startedAt: at(5), endedAt: null },
    { component: 'outputs', state: 'degraded', startedAt: at(60), endedAt: at(50) },
  ] as const;
  const states = { kafka: 'down', outputs: 'ok', database: 'ok', workflows: 'degraded' } as const;
  const status = statusOf({ states, ingest: INGEST, incidents, nowMs: NOW });
  expect(status.status).toBe('down');
  expect(status.components).toEqual([
    { name: 'kafka', state: 'down', sinceMs: at(5).getTime() },
    { name: 'outputs', state: 'ok', sinceMs: at(50).getTime() },
    { name: 'database', state: 'ok', sinceMs: null },
    { name: 'workflows', state: 'degraded', sinceMs: null },
  ]);
  const page = statusPage({ ...status, components: [{ name: '<b>', state: 'ok', sinceMs: null }] });
  expect(page).toContain('A component is down');
  expect(page).toContain('&lt;b&gt;');
  expect(page).not.toContain('<b>');
});

test('a failure opens one incident with its worst state, and recovery closes it; brief ones are not kept', async () => {
  const incidents = async () =>
    (await recentIncidents(database)).map(({ component, state, endedAt }) => [component, state, endedAt !== null]);
  const older = () => sql`UPDATE status_incidents SET started_at = started_at - interval '2 minutes'`.execute(database);
  await noteStates(database, { kafka: 'degraded', ingest: 'down', outputs: 'ok' });
  await older();
  await Promise.all([1, 2, 3].map(() => noteStates(database, { kafka: 'down', ingest: 'down', outputs: 'degraded' })));
  await noteStates(database, { kafka: 'degraded', ingest: 'degraded', outputs: 'degraded' });
  expect((await incidents()).sort()).toEqual([
    ['ingest', 'down', false],
    ['kafka', 'down', false],
    ['outputs', 'degraded', false],
  ]);
  await noteStates(database, { kafka: 'ok', ingest: 'down', outputs: 'ok' });
  expect((await incidents()).sort()).toEqual([
    ['ingest', 'down', false],
    ['kafka', 'down', true],
  ]);
  // A component that the installation no longer has.
  await noteStates(database, { kafka: 'ok' });
  expect((await incidents()).sort()).toEqual([
    ['ingest', 'down', true],
    ['kafka', 'down', true],
  ]);
});

test('queries stores once for many readers, and a failing one is down', async () => {
  let asked = 0;
  const readStatus = createStatus({
    database,
    components: {
      database: () => {
        asked++;
        return 'ok';
      },
      kafka: () => Promise.reject(new Error('secret host')),
    },
    ingest: () => Promise.reject(new Error('secret host')),
  });
  const [one, two] = await Promise.all([readStatus(), readStatus()]);
  expect(asked).toBe(1);
  expect(two).toBe(one);
  expect(one).toMatchObject({ status: 'down', ingest: { lagRecords: null, lastEventMs: null } });
  expect(JSON.stringify(one) + statusPage(one)).not.toContain('secret host');
});
