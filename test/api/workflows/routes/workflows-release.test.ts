import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fireEvents } from '#api/workflows/triggers/event-triggers.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { refusal, strictly } from '../../executions/routes/strict-client.ts';
import { startWebServer } from '../../outbound/web-server.ts';
import { executionsOf, triggerDeps } from '../triggers/trigger-fixture.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from './workflow-app.ts';

let app: WorkflowApp;
beforeAll(async () => {
  const { url } = await usePostgres();
  app = await runWorkflowApp(url);
});
afterAll(() => app.end());

const SET = { a: { set: { x: 1 } } };
const released = (answer: { body: unknown }) =>
  answer.body as {
    workflow: { id: string; version: string; kind: string };
    version: { id: string; version: string };
    released: boolean;
    visibility: string;
    warnings: { message: string }[];
  };

test('a changed definition is a new version, an unchanged one changes nothing, and both can be read', async () => {
  const { call, user } = await app.user();
  const put = (tasks: object, more: object = {}) =>
    call('PUT', '/api/v1/workflows/enrich', { yamlContent: yamlOf(tasks as never, {}, 'enrich'), ...more });
  const first = released(await put(SET, { notes: 'the first' }));
  expect(first).toMatchObject({
    released: true,
    workflow: { version: '1', kind: 'workflow' },
    visibility: 'private',
    warnings: [],
  });
  expect(released(await put(SET))).toMatchObject({ released: false, version: { id: first.version.id } });
  const second = released(await put({ a: { set: { x: 2 } } }, { version: 'v2.0', kind: 'block' }));
  expect(second).toMatchObject({ released: true, workflow: { id: first.workflow.id, version: 'v2.0', kind: 'block' } });
  expect(released(await put({ a: { set: { x: 3 } } }))).toMatchObject({ released: true, version: { version: '3' } });

  const { data, total } = strictly('versions', await call('GET', '/api/v1/workflows/enrich/versions'));
  expect(data.map(({ version, isCurrent }) => [version, isCurrent])).toEqual([
    ['3', true],
    ['v2.0', false],
    ['1', false],
  ]);
  expect(total).toBe(3);
  const page = strictly('versions', await call('GET', '/api/v1/workflows/enrich/versions?limit=1&offset=1'));
  expect(page).toMatchObject({ total: 3, limit: 1, offset: 1, data: [{ version: 'v2.0' }] });

  for (const id of ['enrich', first.workflow.id]) {
    const one = strictly('workflow', await call('GET', `/api/v1/workflows/${id}`));
    expect(one).toMatchObject({ id: first.workflow.id, name: 'enrich', version: '3' });
    expect(one.definition.do).toEqual([{ a: { set: { x: 3 } } }]);
    expect(one.yamlContent).toBe(yamlOf({ a: { set: { x: 3 } } }, {}, 'enrich'));
  }
  const audited = await app.database
    .selectFrom('auditLog')
    .selectAll()
    .where('action', '=', 'workflow.release')
    .execute();
  expect(audited.filter(({ target }) => target === `workflow:${first.workflow.id}`)).toHaveLength(3);
  expect(audited[0]?.actor).toMatch(/^key:/);
  expect(user.id).toBeDefined();
});

test('rejects a tag of other content; with its own content it is current again', async () => {
  const { call } = await app.user();
  const put = (x: number, version?: string) =>
    call('PUT', '/api/v1/workflows/tagged', {
      yamlContent: yamlOf({ a: { set: { x } } }),
      ...(version ? { version } : {}),
    });
  await put(1, 'one');
  await put(2, 'two');
  expect(refusal(await put(3, 'one')).issues[0]).toMatchObject({ field: 'version', code: 'invalid_value' });
  expect(released(await put(1, 'one'))).toMatchObject({ released: false, workflow: { version: 'one' } });
  // The next number is already used as a tag.
  await put(4, '4');
  expect(released(await put(5))).toMatchObject({ version: { version: '5' } });
  for (const version of ['latest', 'wfh_x', '', 'a b', 'x'.repeat(65)])
    expect(refusal(await put(6, version || '-')).status).toBe(400);
});

test('two concurrent releases of a new name create one workflow', async () => {
  const { call } = await app.user();
  const answers = await Promise.all(
    [1, 2, 3, 4].map((x) => call('PUT', '/api/v1/workflows/raced', { yamlContent: yamlOf({ a: { set: { x } } }) })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map((answer) => released(answer).workflow.id)).size).toBe(1);
  expect(strictly('versions', await call('GET', '/api/v1/workflows/raced/versions')).total).toBe(4);
});

test('a released version cannot be changed, not even in the database', async () => {
  const { call } = await app.user();
  const { version } = released(await call('PUT', '/api/v1/workflows/frozen', { yamlContent: yamlOf(SET) }));
  const change = sql`UPDATE workflow_versions SET tag = 'other' WHERE id = ${version.id}`;
  await expect(change.execute(app.database)).rejects.toThrow('a released version of a workflow does not change');
  await expect(app.database.deleteFrom('workflowVersions').where('id', '=', version.id).execute()).rejects.toThrow(
    'a released version of a workflow does not change',
  );
});

test('roll-back makes an older version current, and the diff shows the changes', async () => {
  const { call } = await app.user();
  const yaml = (x: number) =>
    `document: {dsl: 1.0.0, namespace: t, name: rolled, version: 1.0.0}\ndo:\n- a:\n    set:\n      x: ${x}\n`;
  await call('PUT', '/api/v1/workflows/rolled', { yamlContent: yaml(1) });
  await call('PUT', '/api/v1/workflows/rolled', { yamlContent: yaml(2) });
  const { body } = await call('GET', '/api/v1/workflows/rolled/versions/1/diff?with=latest');
  expect(body).toEqual({
    from: '1',
    to: '2',
    diff: '--- rolled@1\n+++ rolled@2\n@@ -2,4 +2,4 @@\n do:\n - a:\n     set:\n-      x: 1\n+      x: 2\n',
  });
  expect(released(await call('POST', '/api/v1/workflows/rolled/rollback', { version: '1' }))).toMatchObject({
    workflow: { version: '1' },
    released: false,
  });
  expect(strictly('workflow', await call('GET', '/api/v1/workflows/rolled')).yamlContent).toBe(yaml(1));
  expect(refusal(await call('POST', '/api/v1/workflows/rolled/rollback', { version: '9' })).status).toBe(404);
  expect(refusal(await call('GET', '/api/v1/workflows/rolled/versions/9/diff?with=1')).status).toBe(404);
  expect(refusal(await call('GET', '/api/v1/workflows/rolled/versions/1/diff?with=9')).issues[0]?.field).toBe('with');
});

test('an event immediately after a release or a roll-back starts an execution', async () => {
  const { call } = await app.user();
  const put = (type: string) => {
    const yamlContent = yamlOf(SET, { schedule: { on: { one: { with: { type } } } } }, 'prompt');
    return call('PUT', '/api/v1/workflows/prompt', { yamlContent });
  };
  const publish = async (type: string, id = type) => {
    const event = { specversion: '1.0', id, source: 'test', type };
    expect((await call('POST', '/api/v1/events', event)).body).toEqual({ accepted: 1, duplicates: 0 });
  };
  const { id: workflowId } = released(await put('first')).workflow;
  await publish('first');
  await put('second');
  await publish('second');
  await call('POST', '/api/v1/workflows/prompt/rollback', { version: '1' });
  await publish('first', 'again');
  const looking = triggerDeps(app.database);
  while (await fireEvents(looking));
  // An event for a definition that is no longer current starts nothing.
  expect(await executionsOf(app.database, workflowId)).toMatchObject([
    { triggerInput: [{ id: 'first' }] },
    { triggerInput: [{ id: 'again' }] },
  ]);
  await looking.close();
});

test('an invalid definition is a 400 with path, line and column', async () => {
  const { call } = await app.user();
  const put = (yamlContent: string) => call('PUT', '/api/v1/workflows/wrong', { yamlContent });
  const head = 'document: {dsl: 1.0.0, namespace: t, name: wrong, version: 1.0.0}\ndo:\n';
  const first = async (yaml: string) => refusal(await put(yaml)).issues[0];
  expect(await first(`${head}- a:\n    set: {x: "\${ .a | }"}\n`)).toMatchObject({
    field: 'yamlContent.do.0.a.set.x',
    line: 4,
    column: 14,
    message: expect.stringMatching(/^invalid jq expression: .*\(line 4, column 14\)$/),
  });
  expect(await first(`${head}- a:\n    call: grpc\n    with: {}\n`)).toMatchObject({ line: expect.any(Number) });
  expect(
    await first(`${head}- a:\n    run: {workflow: {namespace: t, name: missing, version: latest}}\n`),
  ).toMatchObject({
    field: 'yamlContent.do.0.a.run.workflow.name',
    line: 4,
    message: expect.stringContaining("there is no workflow or block 'missing'"),
  });
  expect(await first('a: [')).toMatchObject({ line: 1 });
  expect(await first(`${head}- a:\n    set: {x: 1}\n    then: nowhere\n`)).toMatchObject({
    field: 'yamlContent.do.0.a.then',
  });
  expect(refusal(await call('GET', '/api/v1/workflows/wrong')).status).toBe(404);
});

test('a missing secret is a warning, and so is another name in the document', async () => {
  const { call } = await app.user();
  const put = () =>
    call('PUT', '/api/v1/workflows/secretive', {
      yamlContent: yamlOf({ a: { set: { x: 1 } } }, { use: { secrets: ['token'] } }),
    });
  const texts = async () => released(await put()).warnings.map(({ message }) => message);
  expect(await texts()).toEqual([
    expect.stringContaining("the secret 'token' is not set yet"),
    expect.stringContaining("it is released as 'secretive'"),
  ]);
  await call('PUT', '/api/v1/secrets/token', { value: 'x' });
  expect(await texts()).toHaveLength(1);
});

test('rejects malicious definitions within seconds, without blocking others', async () => {
  const { call } = await app.user();
  const bombs = [
    '['.repeat(1_000_000),
    '- '.repeat(200_000),
    'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]',
    `document: {dsl: 1.0.0, namespace: t, name: x, version: 1.0.0}\ndo:\n${'- a: {set: {x: 1}}\n'.repeat(10_001)}`,
    'a: "\\0"',
    '__proto__: {polluted: true}',
    'x'.repeat(1024 * 1024 + 1),
  ];
  for (const yamlContent of bombs)
    expect(refusal(await call('PUT', '/api/v1/workflows/bomb', { yamlContent })).status).toBe(400);
  expect((await call('PUT', '/api/v1/workflows/well', { yamlContent: yamlOf(SET) })).status).toBe(200);
});

test('releases 10,000 tasks, and does not draw so many', async () => {
  const { call } = await app.user();
  const tasks = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`s${at}`, { set: { x: at } }]));
  expect((await call('PUT', '/api/v1/workflows/long', { yamlContent: yamlOf(tasks) })).status).toBe(200);
  expect(refusal(await call('GET', '/api/v1/workflows/long/graph')).status).toBe(400);
  await call('PUT', '/api/v1/workflows/short', {
    yamlContent: yamlOf({ 'a"]; click x "javascript:1"': { set: { x: 1 } } }),
  });
  const { body } = (await call('GET', '/api/v1/workflows/short/graph')) as {
    body: { version: string; mermaid: string };
  };
  expect(body.version).toBe('1');
  expect(body.mermaid).toMatch(/^flowchart TD/);
  expect(body.mermaid).not.toMatch(/click x|javascript:|"\];/);
});

test('lists the tasks of a version, each after its parent', async () => {
  const { call } = await app.user();
  const loop = { for: { each: 'x', in: '.xs' }, do: [{ inner: { set: { x: 1 } } }] };
  await call('PUT', '/api/v1/workflows/nested', { yamlContent: yamlOf({ loop, last: { wait: 'PT1S', if: '.late' } }) });
  await call('PUT', '/api/v1/workflows/nested', { yamlContent: yamlOf(SET) });
  expect((await call('GET', '/api/v1/workflows/nested/tasks?version=1')).body).toMatchObject({
    version: '1',
    data: [
      { path: '/do/0/loop', parent: null, role: null, kind: 'for', flow: 'sequence', detail: 'each x in .xs' },
      { path: '/do/0/loop/for/do/0/inner', parent: '/do/0/loop', role: 'do', name: 'inner', kind: 'set' },
      { path: '/do/1/last', parent: null, kind: 'wait', condition: '.late' },
    ],
  });
  expect(refusal(await call('GET', '/api/v1/workflows/nested/tasks?version=9')).status).toBe(404);
});

test('a private workflow is hidden from others; a shared one is read by all and changed by its owner and administrators', async () => {
  const [owner, other, admin] = await Promise.all([app.user(), app.user(), app.user('admin')]);
  const put = (call: typeof owner.call, more: object = {}) =>
    call('PUT', '/api/v1/workflows/guarded', { yamlContent: yamlOf(SET), ...more });
  await put(owner.call);
  const paths = ['', '/versions', '/executions', '/tasks', '/graph', '/versions/1/diff'];
  for (const path of paths)
    expect(refusal(await other.call('GET', `/api/v1/workflows/guarded${path}`)).status).toBe(404);
  expect(refusal(await other.call('POST', '/api/v1/workflows/guarded/run', {})).status).toBe(404);
  expect(refusal(await other.call('POST', '/api/v1/workflows/guarded/rollback', { version: '1' })).status).toBe(404);
  expect(refusal(await put(other.call)).status).toBe(404);
  const names = async (call: typeof owner.call) =>
    strictly('workflows', await call('GET', '/api/v1/workflows?name=guarded')).data.length;
  expect([await names(owner.call), await names(other.call), await names(admin.call)]).toEqual([1, 0, 1]);
  expect(released(await put(admin.call, { visibility: 'shared' }))).toMatchObject({
    released: false,
    visibility: 'shared',
  });
  for (const path of paths) expect((await other.call('GET', `/api/v1/workflows/guarded${path}`)).status).toBe(200);
  expect(refusal(await put(other.call)).status).toBe(403);
  expect(await names(other.call)).toBe(1);
});

test('filters lists by part of a name, name and kind, and rejects other parameters', async () => {
  const { call } = await app.user();
  await call('PUT', '/api/v1/workflows/list-alpha', { yamlContent: yamlOf(SET) });
  await call('PUT', '/api/v1/workflows/list-beta', { yamlContent: yamlOf(SET), kind: 'block' });
  const names = async (query: string) =>
    strictly('workflows', await call('GET', `/api/v1/workflows?${query}`)).data.map(({ name }) => name);
  expect(await names('search=LIST-')).toEqual(['list-alpha', 'list-beta']);
  expect(await names('search=list-&kind=block')).toEqual(['list-beta']);
  expect(await names('name=list-alpha')).toEqual(['list-alpha']);
  expect(await names('name=list')).toEqual([]);
  expect(await names('search=%25')).toEqual([]);
  const titled = JSON.parse(yamlOf(SET, {}, 'list-gamma')) as { document: object };
  const yamlContent = JSON.stringify({ ...titled, document: { ...titled.document, title: 'Isolate a Host' } });
  released(await call('PUT', '/api/v1/workflows/list-gamma', { yamlContent }));
  expect(await names('search=isolate%20a')).toEqual([]);
  expect((await call('GET', '/api/v1/workflows?search=list-&titles=true')).body).toMatchObject({
    data: [{ name: 'list-alpha' }, { name: 'list-beta' }, { name: 'list-gamma', title: 'Isolate a Host' }],
  });
  const found = await call('GET', '/api/v1/workflows?search=isolate%20a&titles=true');
  expect(found.body).toMatchObject({ total: 1, data: [{ name: 'list-gamma' }] });
  expect((await call('DELETE', '/api/v1/workflows/list-gamma')).status).toBe(204);
  expect(await names('search=list-&limit=1&offset=1')).toEqual(['list-beta']);
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'kind=agent', 'colour=red', 'search=%00'])
    expect(refusal(await call('GET', `/api/v1/workflows?${query}`)).status).toBe(400);
});

test('missing scopes are a 403, a missing key a 401', async () => {
  const reader = await app.user('user', ['workflows:read']);
  const answers = [
    await reader.call('PUT', '/api/v1/workflows/nope', { yamlContent: yamlOf(SET) }),
    await reader.call('POST', '/api/v1/workflows/nope/run', {}),
    await reader.call('POST', '/api/v1/workflows/executions/exec_x/cancel'),
    await reader.call('POST', '/api/v1/events', {}),
    await reader.call('GET', '/api/v1/secrets'),
  ];
  expect(answers.map((answer) => refusal(answer).status)).toEqual([403, 403, 403, 403, 403]);
  expect(refusal(await app.callWith('nonsense')('GET', '/api/v1/workflows')).status).toBe(401);
});

test('every rejection has a status that clients know', async () => {
  const { call } = await app.user();
  const put = (body: unknown, headers?: Record<string, string>) => call('PUT', '/api/v1/workflows/odd', body, headers);
  const answers = [
    await put('{', { 'content-type': 'application/json' }),
    await put('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    await put('x: 1', { 'content-type': 'text/yaml' }),
    await put({ yamlContent: 'a'.repeat(5 * 2 ** 20) }),
    await put({}),
    await put({ yamlContent: yamlOf(SET), colour: 'red' }),
    await call('PUT', '/api/v1/workflows/Not-A-Slug', { yamlContent: yamlOf(SET) }),
    await call('PUT', '/api/v1/workflows/executions', { yamlContent: yamlOf(SET) }),
    await call('GET', '/api/v1/workflows/..%2F..%2Fetc%2Fpasswd'),
    await call('GET', '/api/v1/nothing/here'),
  ];
  expect(answers.map((answer) => refusal(answer).status)).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 404, 404]);
});

test('secrets are never returned', async () => {
  const { call, user } = await app.user();
  const other = await app.user();
  expect((await call('PUT', '/api/v1/secrets/ticket_token', { value: 'hunter2-hunter2' })).status).toBe(204);
  expect((await call('PUT', '/api/v1/secrets/ticket_token', { value: 'correct-horse' })).status).toBe(204);
  const { text, body } = await call('GET', '/api/v1/secrets');
  expect(text).not.toContain('correct');
  expect((body as { data: object[] }).data).toMatchObject([{ name: 'ticket_token' }]);
  expect(((await other.call('GET', '/api/v1/secrets')).body as { data: object[] }).data).toEqual([]);
  const stored = async () => (await app.secrets.read(user.id, ['ticket_token', 'none'])).get('ticket_token');
  expect(await stored()).toEqual({ value: 'correct-horse', hosts: null });
  const put = (change: object) => call('PUT', '/api/v1/secrets/ticket_token', change);
  expect((await put({ value: 'v3', hosts: ['Tickets.Example.org', 'auth.example.org:8443'] })).status).toBe(204);
  // A new value alone keeps the hosts.
  expect((await put({ value: 'v4' })).status).toBe(204);
  const hosts = ['tickets.example.org', 'auth.example.org:8443'];
  expect(await stored()).toEqual({ value: 'v4', hosts });
  expect(((await call('GET', '/api/v1/secrets')).body as { data: object[] }).data).toMatchObject([{ hosts }]);
  const uses = (to: string) => app.secrets.readFor(user.id, [{ secret: 'ticket_token', to }]);
  expect([...(await uses('https://tickets.example.org'))]).toEqual([['ticket_token', 'v4']]);
  for (const to of [
    'https://evil.example.org',
    'http://tickets.example.org',
    'https://auth.example.org',
    'installation',
  ])
    expect([...(await uses(to))], to).toEqual([]);
  for (const wrong of [['999.1.1.1'], [], ['https://x'], ['a b'], ['x/y'], ['user@x']])
    expect((await put({ value: 'v5', hosts: wrong })).status, JSON.stringify(wrong)).toBe(400);
  expect((await put({ value: 'v5', hosts: null })).status).toBe(204);
  expect(await stored()).toEqual({ value: 'v5', hosts: null });
  for (const [name, value] of [
    ['9x', 'v'],
    ['x', ''],
    ['x y', 'v'],
    ['x', 'v'.repeat(20_000)],
  ] as const)
    expect(refusal(await call('PUT', `/api/v1/secrets/${encodeURIComponent(name)}`, { value })).status).toBe(400);
  expect(refusal(await other.call('DELETE', '/api/v1/secrets/ticket_token')).status).toBe(404);
  expect((await call('DELETE', '/api/v1/secrets/ticket_token')).status).toBe(204);
  expect(refusal(await call('DELETE', '/api/v1/secrets/ticket_token')).status).toBe(404);
  const rows = await app.database
    .selectFrom('auditLog')
    .selectAll()
    .where('action', 'in', ['secret.put', 'secret.delete'])
    .execute();
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(rows)).not.toContain('horse');
});

test('rejects a definition based on an outdated version, and releases nothing', async () => {
  const { call } = await app.user();
  const path = '/api/v1/workflows/both-at-once';
  const put = (x: number, headers: Record<string, string> = {}) =>
    call('PUT', path, { yamlContent: yamlOf({ a: { set: { x } } } as never, {}, 'both-at-once') }, headers);
  expect((await put(0, { 'if-match': '*' })).status).toBe(400);
  expect((await put(1)).status).toBe(200);
  const etagOf = ({ headers }: { headers: Headers } | undefined = { headers: new Headers() }) =>
    String(headers.get('etag'));
  const read = await call('GET', path);
  const answers = await Promise.all([2, 3].map((x) => put(x, { 'if-match': etagOf(read) })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.text).toContain('"field":"if-match"');
  const now = await call('GET', path);
  expect(now.body).toMatchObject({ version: '2' });
  expect(etagOf(now)).toBe(etagOf(answers.find(({ status }) => status === 200)));
  expect((await put(4, { 'if-match': etagOf(now) })).status).toBe(200);
});

test('a deleted workflow cannot run, is not listed, keeps its executions, and a release restores it', async () => {
  const { call } = await app.user();
  const path = '/api/v1/workflows/withdrawn';
  const yamlContent = yamlOf(SET, { schedule: { cron: '0 0 1 1 *' } }, 'withdrawn');
  const put = () => call('PUT', path, { yamlContent });
  const { id } = released(await put()).workflow;
  const { executionId } = (await call('POST', `${path}/run`, { input: { host: 'web-1' } })).body as {
    executionId: string;
  };
  const other = await app.user();
  expect((await other.call('DELETE', path)).status).toBe(404);
  expect(refusal(await call('DELETE', path, undefined, { 'if-match': '"other"' })).issues[0]?.field).toBe('if-match');
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('DELETE', path)).status).toBe(204);

  expect((await call('GET', '/api/v1/workflows?name=withdrawn')).body).toMatchObject({ total: 0 });
  expect((await call('GET', '/api/v1/workflows?name=withdrawn&includeArchived=true')).body).toMatchObject({
    data: [{ name: 'withdrawn', archived: true }],
  });
  expect((await call('GET', path)).body).toMatchObject({ archived: true });
  for (const [method, target, body] of [
    ['POST', `${path}/run`, {}],
    ['POST', `/api/v1/workflows/executions/${executionId}/rerun`, {}],
  ] as const)
    expect(refusal(await call(method, target, body)).issues[0]?.message).toContain('the workflow is deleted');
  const triggers = app.database.selectFrom('workflowTriggers').select(['kind', 'enabled']);
  const kept = await triggers.where('workflowId', '=', id).execute();
  expect(kept).toEqual([{ kind: 'schedule', enabled: false }]);
  // Other workflows no longer find it.
  const caller = yamlOf({
    inner: { run: { workflow: { namespace: 'trapline', name: 'withdrawn', version: 'latest' } } },
  });
  expect((await call('PUT', '/api/v1/workflows/caller', { yamlContent: caller })).status).toBe(400);

  const one = await call('GET', `/api/v1/executions/${executionId}`);
  expect(one.body).toMatchObject({ kind: 'workflow', name: 'withdrawn', agentId: null, input: { host: 'web-1' } });
  expect((await other.call('GET', `/api/v1/executions/${executionId}`)).status).toBe(404);
  expect((await other.call('POST', `/api/v1/executions/${executionId}/cancel`)).status).toBe(404);
  const cancelled = await call('POST', `/api/v1/executions/${executionId}/cancel`);
  expect(cancelled.body).toMatchObject({ executionId, status: 'cancelled', wasStatus: 'pending' });
  expect((await call('GET', `/api/v1/executions/${executionId}?wait_for_completion=5`)).body).toMatchObject({
    status: 'cancelled',
    result: null,
  });

  expect(released(await put())).toMatchObject({ released: false });
  expect(strictly('workflow', await call('GET', path)).name).toBe('withdrawn');
  expect((await call('POST', `${path}/run`, {})).status).toBe(201);
});

test('an external schema is fetched at the release, with a secret of the owner, and becomes part of the version', async () => {
  const { call } = await app.user();
  let document = 'type: object\nrequired: [ host ]\n';
  const server = await startWebServer((request, response) => {
    const known = request.url === '/host.yaml' && request.headers.authorization === 'Bearer of-the-owner';
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/yaml' }).end(known ? document : 'none');
  });
  const endpoint = (path: string) => ({
    uri: `http://127.0.0.1:${server.port}${path}`,
    authentication: { bearer: { token: '${ $secrets.registry }' } },
  });
  const schema = (path: string) => ({ schema: { format: 'json', resource: { endpoint: endpoint(path) } } });
  const put = (path: string) =>
    call('PUT', '/api/v1/workflows/remote-schema', {
      yamlContent: yamlOf(
        { a: { set: { x: 1 }, output: schema(path) } },
        { input: schema(path), use: { secrets: ['registry'] } },
        'remote-schema',
      ),
    });

  // The secret is not set yet, so nothing is sent.
  expect(refusal(await put('/host.yaml')).issues[0]?.message).toContain('the secret registry is not set');
  expect(server.requests).toHaveLength(0);
  expect((await call('PUT', '/api/v1/secrets/registry', { value: 'of-the-owner' })).status).toBeLessThan(300);
  expect(refusal(await put('/none.yaml')).issues[0]?.message).toMatch(
    /the schema cannot be fetched: .*404.* \(line 1, column \d+\)/,
  );

  const first = released(await put('/host.yaml'));
  const stored = async () =>
    (
      await app.database
        .selectFrom('workflowVersions')
        .selectAll()
        .where('id', '=', first.version.id)
        .executeTakeFirst()
    )?.definition as { input: { schema: object } } | undefined;
  const inline = { type: 'object', required: ['host'] };
  expect(await stored()).toMatchObject({
    input: { schema: { document: inline } },
    do: [{ a: { output: { schema: { document: inline } } } }],
  });
  // Two schemas of one resource cause one request.
  const asked = server.requests.filter(({ url }) => url === '/host.yaml').length;
  expect(asked).toBe(1);

  // Unchanged content creates no new version. A changed schema does, and the first version keeps its schema.
  expect(released(await put('/host.yaml'))).toMatchObject({ released: false });
  document = '{"type":"object","required":["port"]}';
  expect(released(await put('/host.yaml'))).toMatchObject({ released: true, workflow: { version: '2' } });
  expect(await stored()).toMatchObject({ input: { schema: { document: inline } } });

  for (const [given, expected] of [
    ['{"$ref":"https://host.test/other.json"}', 'does not resolve in this schema'],
    ['{"a": [', 'neither JSON nor YAML'],
  ] as const) {
    document = given;
    expect(refusal(await put('/host.yaml')).issues[0]?.message, given).toContain(expected);
  }
});
