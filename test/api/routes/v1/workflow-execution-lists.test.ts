import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { refusal, strictly } from './strict-client.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from './workflow-app.ts';

const STATUSES = [
  'created',
  'pending',
  'running',
  'waiting',
  'finalizing',
  'completed',
  'failed',
  'cancelled',
  'rejected',
];
const TERMINAL = ['completed', 'failed', 'cancelled', 'rejected'];

let app: WorkflowApp;
let owner: Awaited<ReturnType<WorkflowApp['user']>>;
let guest: typeof owner;
let workflowId: string;

/** Executions as they might have come, one an hour, the last an hour ago; each status in turn, every third of the guest. */
beforeAll(async () => {
  const { url } = await usePostgres();
  app = await runWorkflowApp(url, { totals: { exactUpTo: 40 } });
  [owner, guest] = await Promise.all([app.user(), app.user()]);
  const put = await owner.call('PUT', '/api/v1/workflows/listed', {
    yamlContent: yamlOf({ a: { set: { x: 1 } } }, {}, 'listed'),
    visibility: 'shared',
  });
  workflowId = (put.body as { workflow: { id: string } }).workflow.id;
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(app.database);
  for (let at = 0; at < 54; at += 1) {
    const status = STATUSES[at % 9] as string;
    const created = sql`date_trunc('milliseconds', now()) - ${54 - at} * interval '1 hour'`;
    await sql`INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, trigger_type, trigger_input, result, error, root_id, example_id,
        lease_until, created_at, started_at, completed_at)
      VALUES (${`exec_${String(at).padStart(26, '0')}`}, 'workflow', ${workflowId}, 'wfh_1', ${at % 3 === 0 ? guest.user.id : owner.user.id}, ${status},
        ${at % 2 === 0 ? 'api' : 'schedule'}, ${JSON.stringify(at === 53 ? 'x'.repeat(1) : { at })}::json,
        ${status === 'completed' ? '{"ok":true}' : null}::json,
        ${status === 'failed' ? JSON.stringify({ type: 'https://example.org/x', status: 500, title: 'Broken', detail: 'in two' }) : null}::json,
        'exec_root', ${at % 10 === 0 ? 'example-1' : null},
        ${status === 'running' || status === 'finalizing' ? sql`now()` : null}, ${created},
        ${status === 'created' || status === 'pending' ? null : created},
        ${TERMINAL.includes(status) ? sql`${created} + interval '1500 milliseconds'` : null})`.execute(app.database);
  }
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(app.database);
});
afterAll(() => app.end());

const list = async (query = '', call = owner.call) =>
  strictly('executions', await call('GET', `/api/v1/workflows/listed/executions${query}`));

test('the newest come first, page by page, with what strict clients take', async () => {
  const all = await list('?limit=100');
  expect(all.data).toHaveLength(54);
  const times = all.data.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().toReversed());
  const pages = await Promise.all([0, 20, 40, 60].map((offset) => list(`?limit=20&offset=${offset}`)));
  expect(pages.flatMap(({ data }) => data)).toEqual(all.data);
  expect(pages.map(({ limit, offset }) => [limit, offset])).toEqual([
    [20, 0],
    [20, 20],
    [20, 40],
    [20, 60],
  ]);
  expect(all.data.find(({ status }) => status === 'failed')).toMatchObject({
    error: 'Broken: in two',
    durationMs: 1500,
  });
  expect(all.data.find(({ status }) => status === 'completed')).toMatchObject({ result: { ok: true } });
  expect(all.data[0]?.workflow).toEqual({ id: workflowId, name: 'listed' });
});

test('a total beyond what is counted each time is counted beside the requests', async () => {
  expect((await list('?exampleId=example-1')).total).toBe(6);
  await expect.poll(async () => (await list('?limit=1')).total).toBe(54);
});

test('statuses filter, one or several, and unknown ones are refused', async () => {
  for (const status of STATUSES) {
    const { data, total } = await list(`?status=${status}`);
    expect([new Set(data.map((one) => one.status)), total]).toEqual([new Set([status]), 6]);
  }
  const several = await list('?status=failed,running,failed');
  expect(several.total).toBe(12);
  expect(several.data.map(({ createdAt }) => createdAt)).toEqual(
    several.data
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  );
  for (const status of ['', 'done', 'failed,', 'timeout'])
    expect(refusal(await owner.call('GET', `/api/v1/workflows/listed/executions?status=${status}`)).status).toBe(400);
});

test('bounds of time are inclusive, absolute or relative to now', async () => {
  const { data } = await list('?limit=100');
  const [third, tenth] = [data[2]?.createdAt ?? '', data[9]?.createdAt ?? ''];
  expect((await list(`?fromDate=${third}`)).data).toHaveLength(3);
  expect((await list(`?toDate=${tenth}&limit=100`)).data).toHaveLength(45);
  expect((await list(`?fromDate=${tenth}&toDate=${third}`)).data).toHaveLength(8);
  expect((await list(`?fromDate=${encodeURIComponent('now()-150m')}`)).data).toHaveLength(2);
  expect((await list(`?fromDate=now()-1w&toDate=now()-50h`)).data.length).toBeGreaterThanOrEqual(4);
  expect((await list(`?status=failed&fromDate=now()-1d`)).data.length).toBeLessThan(6);
  for (const wrong of ['yesterday', 'now()-7', 'now()+7d', '2026-02-31', '2026-13-01T00:00:00Z', ''])
    expect(
      refusal(await owner.call('GET', `/api/v1/workflows/listed/executions?fromDate=${encodeURIComponent(wrong)}`))
        .status,
    ).toBe(400);
});

test('others see of a shared workflow what they ran; its owner and administrators see all', async () => {
  const theirs = await list('?limit=100', guest.call);
  expect([theirs.data.length, theirs.total]).toEqual([18, 18]);
  const admin = await app.user('admin');
  expect((await list('?limit=100', admin.call)).data).toHaveLength(54);
  const [own] = theirs.data;
  const [foreign] = (await list('?limit=100')).data.filter(({ id }) => !theirs.data.some((one) => one.id === id));
  strictly('execution', await guest.call('GET', `/api/v1/workflows/executions/${own?.id}`));
  expect(refusal(await guest.call('GET', `/api/v1/workflows/executions/${foreign?.id}`)).status).toBe(404);
  strictly('execution', await owner.call('GET', `/api/v1/workflows/executions/${own?.id}?includeSteps=true`));
});

test('every list of many is read from an index alone', async () => {
  await sql`INSERT INTO executions (id, kind, workflow_id, version_id, status, trigger_type, root_id, completed_at, created_at)
    SELECT 'exec_many' || i, 'workflow', 'wf_many', 'wfh_1', CASE WHEN i % 500 = 0 THEN 'failed' ELSE 'completed' END, 'api', 'exec_root', now(),
      now() - i * interval '1 second' FROM generate_series(1, 20000) AS i`.execute(
    // A trigger that wants a first status stands in the way of rows that are done already.
    await withoutTriggers(),
  );
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(app.database);
  await sql`VACUUM ANALYZE executions`.execute(app.database);
  const base = sql`SELECT id, created_at FROM executions WHERE kind = 'workflow' AND workflow_id = 'wf_many'`;
  const order = sql`ORDER BY created_at DESC, id DESC LIMIT 50`;
  for (const where of [
    sql``,
    sql`AND status = 'failed'`,
    sql`AND created_at >= now() - interval '1 hour'`,
    sql`AND owner_id = ${guest.user.id}`,
  ]) {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN ${base} ${where} ${order}`.execute(app.database);
    const plan = rows.map((row) => Object.values(row)[0]).join('\n');
    expect(plan).toContain('Index Only Scan');
    expect(plan).not.toMatch(/Seq Scan|Sort /);
  }
});

async function withoutTriggers() {
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(app.database);
  return app.database;
}
