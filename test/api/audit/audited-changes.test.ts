import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createChangeRecord } from '#api/audit/record-change.ts';
import { deadLetterRoutes } from '#api/detections/routes/dead-letters.ts';
import { demoRoutes } from '#api/detections/routes/demo.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runApp } from '../running-app.ts';

/** The same routes under /audited, with an audit log in this database. */
async function standing(url: string) {
  const database = createDatabase({ url });
  const recordChange = createChangeRecord({ database, audit: createAudit() });
  const done: string[] = [];
  const demo = { replay: async () => done.push('replayed'), remove: async () => void done.push('removed') };
  const clickhouse = createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' });
  const app = await runApp({
    prepare: (server) =>
      server.register(
        async (scope) => {
          demoRoutes(scope, demo, recordChange);
          deadLetterRoutes(scope, clickhouse, async ({ id }) => ({ id, outcome: 'accepted' }), recordChange);
        },
        { prefix: '/audited' },
      ),
  });
  return { ...app, done, database };
}

test('changes in ClickHouse are recorded before they are made', async () => {
  const { url, database } = await usePostgres();
  const app = await standing(url);
  expect((await app.post('/audited/api/demo', '')).status).toBe(200);
  const headers = { 'x-api-key': `operator.${'k'.repeat(43)}` };
  expect((await fetch(`${app.url}/audited/api/demo`, { method: 'DELETE', headers })).status).toBe(204);
  expect(app.done).toEqual(['replayed', 'removed']);
  // The stores cannot be read, but the attempt is in the audit log.
  for (const body of [
    { ids: ['events/0/1'] },
    { ids: ['events/0/1', 'events/0/2'] },
    { filter: { code: 'version_unknown' }, limit: 5 },
  ])
    expect([200, 503]).toContain((await app.post('/audited/api/dead-letters/redrive', JSON.stringify(body))).status);
  const rows = await database.selectFrom('auditLog').selectAll().orderBy('id').execute();
  await app.database.destroy();
  expect(rows.map(({ actor, action, target, diff }) => ({ actor, action, target, diff }))).toEqual([
    { actor: 'operator', action: 'demo.replay', target: 'demo', diff: {} },
    { actor: 'operator', action: 'demo.remove', target: 'demo', diff: {} },
    { actor: 'operator', action: 'dead-letter.redrive', target: 'dead-letter:events/0/1', diff: {} },
    {
      actor: 'operator',
      action: 'dead-letter.redrive',
      target: 'dead-letters',
      diff: { count: { after: 2 }, ids: { after: ['events/0/1', 'events/0/2'] } },
    },
    {
      actor: 'operator',
      action: 'dead-letter.redrive',
      target: 'dead-letters',
      diff: { filter: { after: { refusedFor: ['version_unknown'] } }, limit: { after: 5 } },
    },
  ]);
});

test('a change that cannot be recorded is not made', async () => {
  const app = await standing('postgres://unknown@127.0.0.1:1/none');
  expect((await app.post('/audited/api/demo', '')).status).toBe(503);
  expect(app.done).toEqual([]);
  await app.database.destroy();
});
