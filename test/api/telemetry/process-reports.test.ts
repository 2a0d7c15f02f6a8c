import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  clockSkewMs,
  deleteProcessReport,
  listProcessReports,
  type ProcessReport,
  putProcessReport,
} from '#api/telemetry/processes/process-reports.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database } = await usePostgres();
const report = (name: string, more: Partial<ProcessReport> = {}): ProcessReport => ({
  id: randomUUID(),
  role: 'api',
  name,
  version: '1.0.0',
  clockSkewMs: 3,
  secrets: { AUTH_SECRET: 'current' },
  freeDiskShare: 0.25,
  ...more,
});

it('lists the last reports of processes, without ended and forgotten ones', async () => {
  const [first, second, ended] = [report('first'), report('second', { role: 'ingest' }), report('ended')];
  for (const one of [second, first, ended]) await putProcessReport(database, one);
  await putProcessReport(database, { ...first, clockSkewMs: -7, freeDiskShare: null });
  await deleteProcessReport(database, ended.id);
  const { id: _, ...rest } = first;
  const [one, other, ...more] = await listProcessReports(database);
  expect(one).toMatchObject({ ...rest, clockSkewMs: -7, freeDiskShare: null });
  expect(other).toMatchObject({ role: 'ingest', name: 'second' });
  expect(more).toEqual([]);

  await sql`UPDATE processes SET reported_at = now() - interval '25 hours' WHERE name = 'second'`.execute(database);
  expect((await listProcessReports(database))[1]?.silentSeconds).toBeGreaterThan(86_400);
  await putProcessReport(database, first);
  expect((await listProcessReports(database)).map(({ name }) => name)).toEqual(['first']);
});

it('measures the clock offset from the database', async () => {
  // Both run on one machine; the measured offset includes half of the duration of a query.
  expect(Math.abs(await clockSkewMs(database))).toBeLessThan(60_000);
});
