import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAgentExecution } from '#api/agents/tables/agent-executions.ts';
import { fillExecutionCounts } from '#api/postgres/migrations/0064-execution-counts.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { refusal, strictly } from '../../executions/routes/strict-client.ts';
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

/** Executions one hour apart, the last an hour ago. Statuses alternate; every third belongs to the guest. */
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
  await fillExecutionCounts(app.database);
});
afterAll(() => app.end());

const list = async (query = '', call = owner.call) =>
  strictly('executions', await call('GET', `/api/v1/workflows/listed/executions${query}`));

test('lists newest first in pages, valid for strict clients', async () => {
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

test('the total of a large list is the exact one that the database keeps', async () => {
  expect((await list('?exampleId=example-1')).total).toBe(6);
  expect((await list('?limit=1')).total).toBe(54);
  await expect.poll(async () => (await list('?limit=1&toDate=now()-1m')).total).toBe(54);
});

test('filters by one or several statuses, and rejects unknown ones', async () => {
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

test('time bounds are inclusive, absolute or relative to now', async () => {
  const { data } = await list('?limit=100');
  const [third, tenth] = [data[2]?.createdAt ?? '', data[9]?.createdAt ?? ''];
  expect((await list(`?fromDate=${third}`)).data).toHaveLength(3);
  expect((await list(`?toDate=${tenth}&limit=100`)).data).toHaveLength(45);
  expect((await list(`?fromDate=${tenth}&toDate=${third}`)).data).toHaveLength(8);
  // `to` is exclusive, as in every list; `toDate` is inclusive.
  expect((await list(`?from=${tenth}&to=${third}`)).data).toHaveLength(7);
  const twice = await owner.call('GET', `/api/v1/workflows/listed/executions?from=${tenth}&fromDate=${tenth}`);
  expect(refusal(twice)).toMatchObject({ status: 400, issues: [{ field: 'fromDate' }] });
  expect((await list(`?fromDate=${encodeURIComponent('now()-150m')}`)).data).toHaveLength(2);
  expect((await list(`?fromDate=now()-1w&toDate=now()-50h`)).data.length).toBeGreaterThanOrEqual(4);
  expect((await list(`?status=failed&fromDate=now()-1d`)).data.length).toBeLessThan(6);
  for (const wrong of ['yesterday', 'now()-7', 'now()+7d', '2026-02-31', '2026-13-01T00:00:00Z', ''])
    expect(
      refusal(await owner.call('GET', `/api/v1/workflows/listed/executions?fromDate=${encodeURIComponent(wrong)}`))
        .status,
    ).toBe(400);
});

test('other users see their own runs of a shared workflow; its owner and administrators see all', async () => {
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

test('shows keys of limits, which are parts of inputs, only to users who may read all executions', async () => {
  await sql`
    INSERT INTO execution_admissions (execution_id, workflow_id, slot_key) VALUES ('exec_limited', ${workflowId}, '"ada@example.com"')`.execute(
    app.database,
  );
  const keys = async ({ call }: typeof owner) => {
    const { body } = (await call('GET', `/api/v1/workflows/${workflowId}/limits`)) as unknown as {
      body: { queues: { key: string | null; waiting: number }[] };
    };
    return body.queues.map(({ key, waiting }) => [key, waiting]);
  };
  expect(await keys(owner)).toEqual([['"ada@example.com"', 1]]);
  expect(await keys(guest)).toEqual([[null, 1]]);
});

test('reads every large list from an index only', async () => {
  await sql`INSERT INTO executions (id, kind, workflow_id, version_id, status, trigger_type, root_id, completed_at, created_at)
    SELECT 'exec_many' || i, 'workflow', 'wf_many', 'wfh_1', CASE WHEN i % 500 = 0 THEN 'failed' ELSE 'completed' END, 'api', 'exec_root', now(),
      now() - i * interval '1 second' FROM generate_series(1, 20000) AS i`.execute(
    // A trigger that requires an initial status prevents inserting finished rows.
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

test('the newest executions are those of the separate lists together, by the rights of the key', async () => {
  const recent = async (call = owner.call, query = '') => {
    const { status, text } = await call('GET', `/api/v1/executions${query}`);
    if (status !== 200) throw new Error(text);
    return (JSON.parse(text) as { data: { id: string; kind: string; name: string; status: string }[] }).data;
  };
  await app.database
    .insertInto('agents')
    .values({
      id: 'awf_00000000000000000001',
      slug: 'listed-agent',
      name: 'a',
      description: '',
      config: '{}',
      ownerId: owner.user.id,
    })
    .execute();
  const ran = await app.executions.accept(
    { kind: 'agent', agentId: 'awf_00000000000000000001', ownerId: owner.user.id, triggerType: 'api' },
    (transaction, executionId) =>
      insertAgentExecution(transaction, {
        executionId,
        agentId: 'awf_00000000000000000001',
        ownerId: owner.user.id,
        workspaceVersion: 0,
        config: {},
        scopes: null,
        sourceExecutionId: null,
        batchId: null,
        exampleId: null,
        exampleName: null,
        model: null,
        expected: null,
        expectedFiles: 0,
        comparison: null,
      }),
  );
  if (ran.outcome === 'conflict') throw new Error('a conflict');
  const ofWorkflow = (await list('?limit=100')).data.map(({ id }) => id);
  const all = await recent(owner.call, '?limit=100');
  expect(all.map(({ id }) => id)).toEqual([ran.id, ...ofWorkflow]);
  expect(all[0]).toMatchObject({ kind: 'agent', name: 'listed-agent', status: 'pending' });
  expect(all[1]).toMatchObject({ kind: 'workflow', name: 'listed' });
  expect((await recent(owner.call, '?limit=3')).map(({ id }) => id)).toEqual([ran.id, ...ofWorkflow.slice(0, 2)]);
  const failed = await recent(owner.call, '?status=failed,pending&limit=100');
  expect(failed.map(({ id }) => id)).toEqual([
    ran.id,
    ...(await list('?status=failed,pending&limit=100')).data.map(({ id }) => id),
  ]);
  const guests = (await list('?limit=100', guest.call)).data.map(({ id }) => id);
  expect((await recent(guest.call, '?limit=100')).map(({ id }) => id)).toEqual(guests);
  expect((await recent(app.operator, '?limit=100')).map(({ id }) => id)).toEqual([ran.id, ...ofWorkflow]);
  expect(await recent((await app.user()).call)).toEqual([]);
  const key = await app.keys.issue({ userId: owner.user.id, label: 'agents', scopes: ['agents:read'] });
  const reader = app.callWith(key.apiKey);
  expect((await recent(reader)).map(({ id }) => id)).toEqual([ran.id]);
  expect(refusal(await reader('GET', '/api/v1/executions?kind=workflow')).status).toBe(403);
  expect(refusal(await owner.call('GET', '/api/v1/executions?status=gone')).status).toBe(400);

  const page = async (query: string, call = owner.call) => {
    const { status, text } = await call('GET', `/api/v1/executions?${query}`);
    if (status !== 200) throw new Error(text);
    const { data, ...rest } = JSON.parse(text) as { data: { id: string }[]; total: number };
    return { ids: data.map(({ id }) => id), ...rest };
  };
  const everything = [ran.id, ...ofWorkflow];
  expect(await page('limit=2&offset=1')).toEqual({
    ids: everything.slice(1, 3),
    total: everything.length,
    limit: 2,
    offset: 1,
  });
  expect((await page(`limit=100&offset=${everything.length}`)).ids).toEqual([]);
  expect(await page('workflow=listed&limit=100')).toMatchObject({ ids: ofWorkflow, total: ofWorkflow.length });
  expect(await page('agent=awf_00000000000000000001')).toMatchObject({ ids: [ran.id], total: 1 });
  expect(await page('limit=100', guest.call)).toMatchObject({ ids: guests, total: guests.length });
  const past = 'fromDate=now()-30d&toDate=now()-1d&limit=100';
  expect(await page(`kind=workflow&${past}`)).toMatchObject({ ids: (await list(`?${past}`)).data.map(({ id }) => id) });
  expect(await page('toDate=2001-01-01')).toMatchObject({ ids: [], total: 0 });
  for (const [query, status] of [
    ['workflow=no-such', 404],
    ['agent=no-such', 404],
    ['workflow=listed&agent=listed-agent', 400],
    ['fromDate=yesterday', 400],
  ] as const)
    expect(refusal(await owner.call('GET', `/api/v1/executions?${query}`)).status).toBe(status);
  expect(refusal(await reader('GET', '/api/v1/executions?workflow=listed')).status).toBe(403);
  expect(refusal(await (await app.user()).call('GET', '/api/v1/executions?agent=listed-agent')).status).toBe(404);
});
