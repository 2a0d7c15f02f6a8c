import { describe, expect, it } from 'vitest';
import { expectHidden } from '../../sharing/walk-routes.ts';
import { runAgentApp } from '../agent-app.ts';

const app = await runAgentApp();
const owner = await app.user();
const other = await app.user();
app.work();

/** Bodies that are accepted from an authorized caller. */
const BODIES: Readonly<Record<string, unknown>> = {
  changeAgent: { name: 'Taken' },
  runAgent: { input: {} },
  putAgentFile: { content: 'x' },
  putAgentFiles: { files: [{ path: 'x.md', content: 'x' }] },
  putAgentExample: { input: {} },
  promoteAgentExecution: { name: 'x' },
  evaluateAgent: {},
  putAgentChecks: { checks: [] },
  startAgentExperiment: { name: 'x', baseline: { version: 1 }, candidate: { version: 1 } },
  consentToAgentMcpTools: { tools: [] },
  addExpectedFile: { outputFileName: 'x' },
  renameExpectedFile: { name: 'y' },
  giveAgentFeedback: { rating: 'fail' },
  grantAgent: { permission: 'view', role: 'user' },
};

const AGENT = {
  id: expect.stringMatching(/^awf_[0-9A-Za-z]{20}$/),
  createdAt: expect.any(String),
  updatedAt: expect.any(String),
  sourceIntegrity: 'healthy',
  latestVersion: 1,
  latestCommit: expect.stringMatching(/^[0-9a-f]{64}$/),
};

describe('agents', () => {
  it('are created with a workspace, read by id or slug, changed, archived and found', async () => {
    const made = await owner.call('POST', '/api/v1/agents', { name: 'Triage Äffchen!', slug: 'triage-affchen' });
    expect(made).toMatchObject({
      status: 201,
      body: { agent: { ...AGENT, slug: 'triage-affchen', name: 'Triage Äffchen!' } },
    });
    const { id } = made.body.agent;
    expect((await owner.call('GET', '/api/v1/agents/triage-affchen')).body.agent).toEqual(made.body.agent);
    const full = await owner.call('GET', `/api/v1/agents/${id}?include=files,dataset`);
    expect(full.body.agent.files.map(({ path }: { path: string }) => path)).toEqual([
      'AGENT.md',
      'agent.js',
      'output.schema.json',
    ]);
    expect(full.body.agent.dataset).toEqual([]);
    const patched = await owner.call('PATCH', `/api/v1/agents/${id}`, { description: 'new', config: { custom: [1] } });
    expect(patched).toMatchObject({ status: 200, body: { agent: { description: 'new', config: { custom: [1] } } } });
    expect((await owner.call('PATCH', `/api/v1/agents/${id}`, { archived: true })).body.agent.archived).toBe(true);
    expect((await owner.call('GET', '/api/v1/agents?search=triage-af')).body).toMatchObject({ data: [], total: 0 });
    expect(
      (await owner.call('GET', '/api/v1/agents?search=TRIAGE-af&includeArchived=true&limit=1')).body,
    ).toMatchObject({
      data: [{ id }],
      total: 1,
      limit: 1,
      offset: 0,
    });
    expect((await owner.call('POST', `/api/v1/agents/${id}/run`, {})).status).toBe(400);
    // DELETE behaves the same.
    await owner.call('PATCH', `/api/v1/agents/${id}`, { archived: false });
    const stale = await owner.call('DELETE', `/api/v1/agents/${id}`, undefined, { 'if-match': '"other"' });
    expect(stale.body.issues[0].field).toBe('if-match');
    for (let time = 0; time < 2; time++) expect((await owner.call('DELETE', `/api/v1/agents/${id}`)).status).toBe(204);
    expect((await owner.call('GET', `/api/v1/agents/${id}`)).body.agent.archived).toBe(true);
  });

  it('accept no other secret of their owner from a user who may only edit them', async () => {
    const model = { name: 'm', baseUrl: 'https://model.example.org', apiKeySecret: 'MODEL_KEY' };
    const made = await owner.call('POST', '/api/v1/agents', { name: 'Keys', slug: 'keys', config: { model } });
    expect(made.status).toBe(201);
    const { id: agentId } = made.body.agent;
    await app.database
      .insertInto('automationGrants')
      .values({
        id: 'grant_keys',
        workflowId: null,
        agentId,
        userId: other.user.id,
        teamId: null,
        role: null,
        permission: 'edit',
        createdBy: 'test',
      })
      .execute();
    const put = (person: typeof owner, config: object) =>
      person.call('PATCH', '/api/v1/agents/keys', { config: { model: { ...model, ...config } } });
    expect((await put(other, { name: 'n' })).status).toBe(200);
    expect(await put(other, { apiKeySecret: 'OTHER' })).toMatchObject({ status: 403 });
    expect((await put(owner, { apiKeySecret: 'OTHER' })).status).toBe(200);
  });

  it('reject a configuration that is nested too deeply', async () => {
    let config: object = {};
    for (let depth = 0; depth < 20_000; depth++) config = { a: config };
    const { id } = (await owner.call('POST', '/api/v1/agents', { name: 'Deep', slug: 'deep' })).body.agent;
    const form = new FormData();
    form.append('_json', JSON.stringify(config));
    for (const [method, path, body] of [
      ['POST', '/api/v1/agents', { name: 'Deeper', slug: 'deeper', config }],
      ['PATCH', `/api/v1/agents/${id}`, { config }],
      ['POST', `/api/v1/agents/${id}/run`, { input: config }],
      ['POST', `/api/v1/agents/${id}/run`, form],
    ] as const)
      expect(await owner.call(method, path, body)).toMatchObject({ status: 400 });
  });

  it('are listed with any text in their configuration, and report whether their entry file exists', async () => {
    const configs = [
      { note: 'a\0b' },
      { entry: 'nowhere.js' },
      { entry: 'a\0b' },
      { runtime: 'model', entry: 'nowhere.js' },
    ];
    for (const [index, config] of configs.entries())
      await owner.call('POST', '/api/v1/agents', { name: 'Odd', slug: `odd-${index}`, visibility: 'shared', config });
    for (const caller of [owner, other]) {
      const { status, body } = await caller.call('GET', '/api/v1/agents?search=odd-');
      expect(status).toBe(200);
      expect(
        body.data.map(({ slug, sourceIntegrity }: Record<string, string>) => [slug, sourceIntegrity]).sort(),
      ).toEqual([
        ['odd-0', 'healthy'],
        ['odd-1', 'source_missing'],
        ['odd-2', 'source_missing'],
        ['odd-3', 'healthy'],
      ]);
    }
  });

  it('and their files are not overwritten with an outdated ETag', async () => {
    const { id } = (await owner.call('POST', '/api/v1/agents', { name: 'Two at once', slug: 'two-at-once' })).body
      .agent;
    const path = `/api/v1/agents/${id}`;
    const first = await owner.call('GET', path);
    const ifMatch = { 'if-match': String(first.headers.get('etag')) };
    const changes = await Promise.all(
      ['a', 'b'].map((description) => owner.call('PATCH', path, { description }, ifMatch)),
    );
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(changes.find(({ status }) => status === 400)?.body.issues).toMatchObject([{ field: 'if-match' }]);
    const done = changes.find(({ status }) => status === 200);
    expect((await owner.call('GET', path)).headers.get('etag')).toBe(done?.headers.get('etag'));

    const file = `${path}/files?path=agent.js`;
    const read = (await owner.call('GET', file)).headers.get('etag');
    const put = (content: string, etag = String(read)) => owner.call('PUT', file, { content }, { 'if-match': etag });
    const puts = await Promise.all([put('1;'), put('2;')]);
    expect(puts.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await owner.call('GET', path)).body.agent.latestVersion).toBe(2);
    // Changing a file does not change the ETag of the agent.
    expect((await owner.call('GET', path)).headers.get('etag')).toBe(done?.headers.get('etag'));
    expect((await put('3;', '*')).status).toBe(200);
    const missing = `${path}/files?path=none.js`;
    expect((await owner.call('PUT', missing, { content: '' }, { 'if-match': '*' })).status).toBe(400);
  });

  it('do not exist for other accounts in any route', async () => {
    const made = await owner.call('POST', '/api/v1/agents', { name: 'Walled', slug: 'walled' });
    const { id } = made.body.agent;
    const ran = await owner.call('POST', `/api/v1/agents/${id}/run?wait_for_completion=60`, { input: {} });
    const { executionId } = ran.body;
    const stranger = await app.user();
    const walked = await expectHidden({
      app: app.app,
      call: stranger.call,
      named: {
        id: [id, 'awf_00000000000000000000'],
        agentId: [id, 'awf_00000000000000000000'],
        executionId: [executionId, 'exec_0000'],
      },
      bodies: BODIES,
      queries: { putAgentFile: '?path=x.md' },
    });
    expect(walked.length).toBeGreaterThan(30);
    expect((await owner.call('GET', `/api/v1/agents/${id}`)).body.agent).toMatchObject({ name: 'Walled' });
  });

  it('belong to their owner: other users get 404 until they are shared, and only the owner changes them', async () => {
    const made = await owner.call('POST', '/api/v1/agents', { name: 'Mine', slug: 'mine' });
    const { id } = made.body.agent;
    for (const path of [id, 'mine', `${id}/files`, `${id}/executions`])
      expect((await other.call('GET', `/api/v1/agents/${path}`)).status).toBe(404);
    expect((await other.call('POST', '/api/v1/agents/mine/run', {})).status).toBe(404);
    expect((await other.call('PATCH', `/api/v1/agents/${id}`, { name: 'x' })).status).toBe(404);
    expect((await app.operator('GET', `/api/v1/agents/${id}`)).status).toBe(200);
    await owner.call('PATCH', `/api/v1/agents/${id}`, { visibility: 'shared' });
    expect((await other.call('GET', `/api/v1/agents/${id}`)).status).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'x' }],
      ['PUT', '/files?path=a.txt', { content: 'x' }],
      ['PUT', '/examples/a', { input: 1 }],
    ] as const)
      expect((await other.call(method, `/api/v1/agents/${id}${path}`, body)).status).toBe(403);
  });

  it('reject invalid requests with the envelope and known statuses', async () => {
    const { id } = (await owner.call('POST', '/api/v1/agents', { name: 'Strict', slug: 'strict' })).body.agent;
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: 'x', slug: 'X Y' }, 'slug'],
      [{ name: 'x', slug: 'strict' }, 'slug'],
      [{ name: 'x', slug: 'executions' }, 'slug'],
      [{ name: 'x' }, 'slug'],
      [{ name: 'x', slug: 'x', unknown: 1 }, 'unknown'],
      [{ name: 'x', slug: 'x', config: { limits: { timeMs: 1e9 } } }, 'config.limits.timeMs'],
      [{ name: 'x', slug: 'x', config: { outputSchema: { type: 'nonsense' } } }, 'config.outputSchema'],
      [{ name: 'x', slug: 'x', config: { outputSchema: { pattern: '(a+)+$' } } }, 'config.outputSchema'],
      [{ name: 'x', slug: 'x', config: { tools: ['shell'] } }, 'config.tools.0'],
    ] as const) {
      const refused = await owner.call('POST', '/api/v1/agents', body);
      expect([refused.status, refused.body.issues[0]?.field]).toEqual([400, field]);
      expect(refused.body.requestId).toBe(refused.headers.get('x-request-id'));
      expect(refused.body.issues[0]).toMatchObject({
        severity: 'error',
        code: expect.any(String),
        message: expect.any(String),
      });
    }
    expect((await owner.call('GET', '/api/v1/agents?colour=red')).status).toBe(400);
    expect((await owner.call('GET', `/api/v1/agents/${id}?include=files,secrets`)).status).toBe(400);
    const large = await owner.call('PATCH', `/api/v1/agents/${id}`, { description: 'x'.repeat(1_100_000) });
    expect([large.status, large.body.issues[0].code]).toEqual([400, 'invalid_value']);
    const text = await owner.call('POST', '/api/v1/agents', undefined, { 'content-type': 'text/plain' });
    expect(text.status).toBe(400);
    expect((await app.caller('nonsense')('GET', '/api/v1/agents')).status).toBe(401);
    const reader = await app.user({ scopes: ['agents:read'] });
    expect((await reader.call('POST', '/api/v1/agents', { name: 'x' })).status).toBe(403);
  });
});

describe('workspaces', () => {
  it('keep every version; an unchanged file creates none', async () => {
    const { id } = (await owner.call('POST', '/api/v1/agents', { name: 'Versions', slug: 'versions' })).body.agent;
    const path = `/api/v1/agents/${id}/files`;
    expect((await owner.call('PUT', `${path}?path=notes%2Fa.txt`, { content: 'one' })).body).toEqual({
      ok: true,
      path: 'notes/a.txt',
    });
    expect((await owner.call('PUT', `${path}?path=notes/a.txt`, { content: 'one' })).status).toBe(200);
    const several = await owner.call('POST', path, {
      files: [
        { path: 'notes/a.txt', content: 'two' },
        { path: 'b.bin', contentBase64: Buffer.from([0, 255]).toString('base64'), contentType: 'image/png' },
      ],
    });
    expect(several.body).toEqual({ ok: true, files: ['notes/a.txt', 'b.bin'] });
    expect((await owner.call('GET', `/api/v1/agents/${id}`)).body.agent.latestVersion).toBe(3);
    expect((await owner.call('GET', `${path}?path=notes/a.txt`)).body.file).toMatchObject({
      content: 'two',
      version: 3,
      size: 3,
    });
    expect((await owner.call('GET', `${path}?path=b.bin`)).body.file).toMatchObject({
      contentBase64: 'AP8=',
      // Detected by content: the file is not an image.
      contentType: 'application/octet-stream',
    });
    expect((await owner.call('GET', `${path}?prefix=notes/`)).body.files).toHaveLength(1);
    expect((await owner.call('GET', `${path}?path=none`)).status).toBe(404);
    // An earlier version has the old content, and lacks files that were added later.
    const before = (await owner.call('GET', `${path}?path=notes/a.txt&version=2`)).body.file;
    expect(before).toMatchObject({ content: 'one', version: 2 });
    const pathsAt = async (version: number) =>
      ((await owner.call('GET', `${path}?version=${version}`)).body.files as { path: string }[]).map(
        (file) => file.path,
      );
    const first = ['AGENT.md', 'agent.js', 'output.schema.json'];
    expect(await pathsAt(1)).toEqual(first);
    expect(await pathsAt(2)).toEqual([...first, 'notes/a.txt'].sort());
    expect(await pathsAt(3)).toEqual([...first, 'b.bin', 'notes/a.txt'].sort());
    expect((await owner.call('GET', `${path}?path=notes/a.txt&version=1`)).status).toBe(404);
    for (const [version, status] of [
      ['0', 404],
      ['4', 404],
      ['latest', 400],
    ])
      expect([version, (await owner.call('GET', `${path}?version=${version}`)).status]).toEqual([version, status]);
  });

  it('list their versions, newest first', async () => {
    const { id } = (await owner.call('POST', '/api/v1/agents', { name: 'History', slug: 'history' })).body.agent;
    for (const content of ['one', 'two']) await owner.call('PUT', `/api/v1/agents/${id}/files?path=a.txt`, { content });
    const { body } = await owner.call('GET', `/api/v1/agents/${id}/versions?limit=2`);
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(body.data).toMatchObject([
      { version: 3, isCurrent: true },
      { version: 2, isCurrent: false },
    ]);
    expect(new Set(body.data.map(({ commit }: { commit: string }) => commit)).size).toBe(2);
    const rest = (await owner.call('GET', `/api/v1/agents/${id}/versions?offset=2`)).body.data;
    expect(rest).toMatchObject([{ version: 1, isCurrent: false }]);
    const stranger = await app.user({ scopes: ['agents:read'] });
    expect((await stranger.call('GET', `/api/v1/agents/${id}/versions`)).status).toBe(404);
  });

  it('reject a path that leaves the folder or clashes, with the whole request', async () => {
    const { id } = (await owner.call('POST', '/api/v1/agents', { name: 'Paths', slug: 'paths' })).body.agent;
    const path = `/api/v1/agents/${id}/files`;
    for (const name of [
      '../x',
      '/etc/passwd',
      'a\\b',
      'a/../../b',
      'nul',
      'AGENT.MD',
      'agent.js/x',
      'a\u0000b',
      '．．/x',
      'x'.repeat(300),
    ]) {
      const refused = await owner.call('POST', path, {
        files: [
          { path: 'fine.txt', content: '' },
          { path: name, content: '' },
        ],
      });
      expect([name, refused.status]).toEqual([name, 400]);
    }
    expect((await owner.call('PUT', `${path}?path=%2e%2e%2fx`, { content: '' })).status).toBe(400);
    expect(
      (await owner.call('POST', path, { files: [{ path: 'a', content: 'x', contentBase64: 'eA==' }] })).status,
    ).toBe(400);
    expect(
      (
        await owner.call('POST', path, {
          files: [
            { path: 'a', content: '' },
            { path: 'a', content: '' },
          ],
        })
      ).status,
    ).toBe(400);
    expect((await owner.call('GET', path)).body.files).toHaveLength(3);
  });
});
