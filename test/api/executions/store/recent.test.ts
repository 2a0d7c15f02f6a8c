import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countRecentExecutions, listRecentExecutions } from '#api/executions/store/recent.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { release, scheduled } from '../../workflows/triggers/trigger-fixture.ts';

const { database } = await usePostgres();
const ADMIN = { userId: undefined, administrator: true };

test('distant pages continue the ones before, also with one dominant workflow', async () => {
  const units = await Promise.all(Array.from({ length: 4 }, () => release(database, scheduled(undefined))));
  // The first has nearly all rows, the last none. Some begin at the same time.
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(database);
  for (const [at, count] of [900, 70, 30].entries())
    await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, status, trigger_type, root_id, created_at, started_at, completed_at)
      SELECT id, 'workflow', ${units[at]?.workflowId}, ${units[at]?.versionId}, status, 'api', id, moment, moment, CASE WHEN status = 'failed' THEN moment END
      FROM (
        SELECT 'exec_' || md5(${`${at}`} || i) AS id, CASE WHEN i % 3 = 0 THEN 'failed' ELSE 'pending' END AS status,
          '2026-01-01'::timestamptz + (i * 37 % 997 / 10 + ${at}::int * 11) * interval '1 second' AS moment
        FROM generate_series(1, ${count}::int) AS i
      ) AS made`.execute(database);
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(database);
  for (const statuses of [undefined, ['failed'], ['failed', 'pending', 'waiting']] as const) {
    const filters = { kinds: ['workflow', 'agent'], statuses } as const;
    const all = await listRecentExecutions(database, ADMIN, filters, { limit: 2_000, offset: 0 });
    expect(all.length).toBe(statuses?.length === 1 ? 333 : 1_000);
    expect(await countRecentExecutions(database, ADMIN, filters, 5_000)).toBe(all.length);
    for (const offset of [0, 199, 201, 300, 640, 950, 980, 1_000, 5_000]) {
      const page = await listRecentExecutions(database, ADMIN, filters, { limit: 50, offset });
      expect(page.map(({ id }) => id)).toEqual(all.slice(offset, offset + 50).map(({ id }) => id));
    }
    const one = { ...filters, unitId: units[1]?.workflowId ?? '' };
    expect((await listRecentExecutions(database, ADMIN, one, { limit: 5, offset: 0 })).length).toBe(5);
    expect(await listRecentExecutions(database, ADMIN, one, { limit: 5, offset: 500 })).toEqual([]);
  }
});

test('later pages of a user contain the runs they started and all runs of their workflows, once each, by every filter', async () => {
  const add = (username: string) =>
    database
      .insertInto('users')
      .values({ username, email: `${username}@example.org`, passwordHash: null })
      .returning('id')
      .executeTakeFirstOrThrow();
  const [ada, bob] = await Promise.all([add('ada-lists'), add('bob-lists')]);
  const nothing = scheduled(undefined);
  const [own, others, third] = await Promise.all(
    [ada.id, bob.id, null].map((ownerId) => release(database, nothing, { ownerId })),
  );
  // Runs of the user's own workflow, of another user's, and of the operator's. The user started a third of each.
  for (const [at, unit] of [own, others, third].entries())
    await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, trigger_type, root_id, created_at)
      SELECT 'exec_' || gen_random_uuid(), 'workflow', ${unit?.workflowId}, ${unit?.versionId}, CASE WHEN i % 3 = 0 THEN ${ada.id}::uuid ELSE ${bob.id}::uuid END,
        CASE WHEN i % 7 = 0 THEN 'created' ELSE 'pending' END, 'api', 'exec_root', '2026-02-01'::timestamptz + (i * 37 + ${at}::int) * interval '1 second'
      FROM generate_series(1, 600) AS i`.execute(database);
  const viewer = { userId: ada.id, administrator: false };
  const at = (seconds: number) => new Date(Date.UTC(2026, 1, 1) + seconds * 1_000);
  for (const filters of [
    { kinds: ['workflow', 'agent'] },
    { kinds: ['workflow'], statuses: ['pending'] },
    { kinds: ['workflow'], from: at(37 * 30), to: at(37 * 500) },
    { kinds: ['workflow'], unitId: own?.workflowId },
    { kinds: ['workflow'], unitId: others?.workflowId },
  ] as const) {
    const all = (await listRecentExecutions(database, viewer, filters, { limit: 2_000, offset: 0 })).map(
      ({ id }) => id,
    );
    expect(new Set(all).size).toBe(all.length);
    expect(await countRecentExecutions(database, viewer, filters, 5_000)).toBe(all.length);
    expect(all.length).toBeLessThan(1_001);
    for (const offset of [199, 201, 300, 640, all.length - 10, all.length]) {
      const page = await listRecentExecutions(database, viewer, filters, { limit: 50, offset });
      expect([filters, offset, page.map(({ id }) => id)]).toEqual([filters, offset, all.slice(offset, offset + 50)]);
    }
  }
  const everything = { kinds: ['workflow'] } as const;
  expect((await listRecentExecutions(database, viewer, everything, { limit: 2_000, offset: 0 })).length).toBe(1_000);
  expect(await listRecentExecutions(database, viewer, { kinds: [] }, { limit: 50, offset: 300 })).toEqual([]);
});
