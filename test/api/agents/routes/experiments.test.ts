import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { experimentResultSchema } from '#schemas/api/agent-experiments.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { runAgentApp } from '../agent-app.ts';
import { startModelServer } from '../model-server.ts';

const expressions = createExpressions({ threads: 1 });
afterAll(() => expressions.close());
const settings = {
  baseUrl: 'http://127.0.0.1:1/v1',
  model: 'house-model',
  prices: { 'house-model': { input: 1e5, output: 0 } },
};
const app = await runAgentApp({ model: settings, evaluate: expressions.evaluate });
const owner = await app.user({ role: 'analyst' });
app.work();

async function makeAgent(slug: string, examples: number): Promise<string> {
  const made = await owner.call('POST', '/api/v1/agents', { name: slug, slug, config: {} });
  const at = `/api/v1/agents/${made.body.agent.id}`;
  for (let n = 0; n < examples; n++)
    await owner.call('PUT', `${at}/examples/e${n}`, { input: { n }, expected: n === 0 ? { n } : undefined });
  return at;
}
const put = (at: string, script: string) => owner.call('PUT', `${at}/files?path=agent.js`, { content: script });

it('runs examples with rules and a judge, which is called only if the rules passed, with its cost', async () => {
  const model = await startModelServer(({ messages }, n) => {
    expect(JSON.stringify(messages)).toContain('The reason has to name the host.');
    return n === 2 ? { text: 'I like it.' } : { text: '{"reason":"it names the host","pass":true}' };
  });
  settings.baseUrl = model.baseUrl;
  const at = await makeAgent('judged', 2);
  await put(at, `await tools.files.list({}); ({ n: input.n, verdict: input.n === 0 ? 'benign' : 'unclear' })`);
  const checks = [
    { type: 'regex', name: 'verdict', at: '/verdict', pattern: '^(benign|malicious)$' },
    { type: 'jq', expression: '.output.n == .input.n' },
    { type: 'tool-called', tool: 'files.list', atMost: 1 },
    { type: 'judge', name: 'reason', rubric: 'The reason has to name the host.', repeat: 3 },
  ];
  expect((await owner.call('PUT', `${at}/checks`, { checks: [{ type: 'regex', pattern: '' }] })).status).toBe(400);
  const broken = [...checks, { type: 'jq', expression: '.a |' }];
  expect((await owner.call('PUT', `${at}/checks`, { checks: broken })).body).toMatchObject({
    issues: [{ field: 'checks.4.expression', message: expect.stringContaining('this is not a jq expression') }],
  });
  expect((await owner.call('PUT', `${at}/checks`, { checks })).status).toBe(200);
  expect((await owner.call('GET', `${at}/checks`)).body.checks).toEqual(checks);
  await owner.call('POST', `${at}/evaluations`, { batchId: 'b' });
  const result = await waitFor('the evaluation to end', async () => {
    const { body } = await owner.call('GET', `${at}/evaluations/b`);
    return body.open === 0 && body;
  });
  expect(result).toMatchObject({ total: 2, passed: 1, failed: 1, passRate: { passed: 1, judged: 2, rate: 0.5 } });
  const [first, second] = result.executions;
  expect(first.evaluation).toMatchObject({
    passed: true,
    checks: [
      { name: 'verdict', type: 'regex', passed: true, message: '' },
      { name: 'jq 2', passed: true },
      { name: 'tool-called 3', passed: true },
      {
        name: 'reason',
        passed: true,
        message: 'it names the host',
        votes: { pass: 2, fail: 0, invalid: 1, agreement: 1 },
      },
    ],
  });
  expect(second.evaluation).toMatchObject({
    passed: false,
    checks: [
      { passed: false },
      { passed: true },
      { passed: true },
      { passed: null, message: expect.stringContaining('not judged') },
    ],
  });
  expect(model.requests).toHaveLength(3);
  const { execution } = (await owner.call('GET', `/api/v1/agents/executions/${first.executionId}`)).body;
  expect(execution.cost).toMatchObject({ judgeInputTokens: 30, judgeOutputTokens: 30, judgeCredits: 3 });
});

it('compares two versions over the same examples, side by side and with significance', async () => {
  const at = await makeAgent('compared', 7);
  await put(at, `({ good: input.n === 0, n: input.n })`);
  await put(at, `({ good: true, n: input.n })`);
  await owner.call('PUT', `${at}/checks`, { checks: [{ type: 'exact', at: '/good', value: true }] });
  const start = (body: object) => owner.call('POST', `${at}/experiments`, { name: 'better', ...body });
  expect((await start({ baseline: { version: 2 }, candidate: { version: 2 } })).status).toBe(400);
  expect((await start({ baseline: { version: 2 }, candidate: { version: 9 } })).status).toBe(400);
  const started = await start({ baseline: { version: 2 }, candidate: {} });
  expect([started.status, started.body.candidate, started.body.examples]).toEqual([202, { version: 3, config: {} }, 7]);
  const { id } = started.body;
  const result = await waitFor('the experiment to end', async () => {
    const { body } = await owner.call('GET', `${at}/experiments/${id}`);
    return body.open === 0 && experimentResultSchema.parse(body);
  });
  expect(result.comparison).toMatchObject({
    both: 1,
    onlyBaseline: 0,
    onlyCandidate: 6,
    pValue: expect.closeTo(0.03125, 9),
    verdict: 'candidate-better',
    baseline: { passed: 1, judged: 7 },
    candidate: { passed: 7, judged: 7 },
  });
  expect(result.comparison.metrics[0]).toMatchObject({ metric: 'durationMs', pairs: 7 });
  expect(
    result.rows.map(({ exampleName, baseline, candidate }) => [
      exampleName,
      baseline?.evaluation?.passed,
      candidate?.evaluation?.passed,
    ]),
  ).toEqual(Array.from({ length: 7 }, (_, n) => [`e${n}`, n === 0, true]));
  expect((await owner.call('GET', `${at}/experiments`)).body).toMatchObject({
    total: 1,
    data: [{ id, name: 'better' }],
  });
  // A guest may run the agent and sees their own runs. Another configuration needs the permission to edit the agent.
  await owner.call('PATCH', at, { visibility: 'shared' });
  const guest = await app.user({ role: 'analyst' });
  expect((await guest.call('GET', `${at}/experiments/${id}`)).body.rows).toEqual([]);
  const other = { name: 'x', baseline: {}, candidate: { config: { limits: { toolCalls: 1 } } } };
  expect((await guest.call('POST', `${at}/experiments`, other)).status).toBe(403);
  // A run of a guest does not replace a run of the experiment either.
  const label = { batchId: `${id}.candidate`, exampleName: 'e0' };
  for (const [path, body] of [
    ['run', { input: {}, ...label }],
    ['evaluations', { batchId: label.batchId }],
  ] as const) {
    const refused = await guest.call('POST', `${at}/${path}`, body);
    expect([refused.status, refused.body.issues[0].field]).toEqual([400, 'batchId']);
  }
  expect((await owner.call('POST', `${at}/experiments`, { ...other, examples: ['e1'] })).status).toBe(202);
});

it('stores an experiment before its runs, and none whose first run is rejected; the last of two concurrent ones is current', async () => {
  const at = await makeAgent('limited', 1);
  await put(at, '({})');
  const start = (config: object) =>
    owner.call('POST', `${at}/experiments`, { name: 'x', baseline: { config }, candidate: {} });
  const other = { limits: { toolCalls: 1 } };
  const total = async () => (await owner.call('GET', `${at}/experiments`)).body.total;
  expect((await start({ inputSchema: { type: 'string' } })).status).toBe(400);
  expect(await total()).toBe(0);
  await sql`
    INSERT INTO agent_experiments (id, agent_id, name, baseline, candidate, checks, examples, created_by)
    SELECT 'awp_' || lpad(n::text, 20, '0'), id, 'x', '{"version": 1, "config": {}}', '{"version": 1, "config": {}}', '[]', 1, 'test' FROM agents CROSS JOIN generate_series(1, 999) AS n
    WHERE slug = 'limited'`.execute(app.database);
  const answers = await Promise.all([start(other), start(other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 400]);
  expect(await total()).toBe(1_000);
  const { rows } = await sql`
    SELECT FROM agent_executions AS run JOIN agents ON agents.id = run.agent_id WHERE slug = 'limited'`.execute(
    app.database,
  );
  expect(rows).toHaveLength(2);
});

it('a user with the grant edit cannot send secrets of the owner to another host', async () => {
  const editor = await app.user({ role: 'analyst' });
  const model = { name: 'm', baseUrl: 'https://models.example.org/v1', apiKeySecret: 'model_key' };
  const mcpServers = {
    tools: { url: 'https://tools.example.org/mcp', headers: { authorization: { secret: 'tool_key' } } },
  };
  const config = { runtime: 'model', model, mcpServers };
  const made = await owner.call('POST', '/api/v1/agents', { name: 'bound', slug: 'bound', config });
  const at = `/api/v1/agents/${made.body.agent.id}`;
  const username = (
    await app.database.selectFrom('users').select('username').where('id', '=', editor.user.id).executeTakeFirstOrThrow()
  ).username;
  expect((await owner.call('POST', `${at}/grants`, { permission: 'edit', user: username })).status).toBe(200);
  const change = (by: typeof editor, part: object) => by.call('PATCH', at, { config: { ...config, ...part } });
  const other = { url: 'https://thief.example.org/mcp', headers: { authorization: { secret: 'tool_key' } } };
  for (const [part, field] of [
    [{ model: { ...model, baseUrl: 'https://thief.example.org/v1' } }, 'config.model.baseUrl'],
    [{ model: { name: 'm', apiKeySecret: 'model_key' } }, 'config.model.baseUrl'],
    [{ model: { ...model, apiKeySecret: 'tool_key' } }, 'config.model.baseUrl'],
    [{ mcpServers: { tools: other } }, 'config.mcpServers'],
    [{ mcpServers: { ...mcpServers, more: other } }, 'config.mcpServers'],
  ] as const) {
    const refused = await change(editor, part);
    expect([refused.status, refused.body.issues[0].field], JSON.stringify(part)).toEqual([403, field]);
    const arms = { name: 'x', baseline: {}, candidate: { config: part } };
    expect((await editor.call('POST', `${at}/experiments`, arms)).status).toBe(403);
  }
  const check = { type: 'judge', rubric: 'good', model: { ...model, baseUrl: 'https://thief.example.org/v1' } };
  expect((await editor.call('PUT', `${at}/checks`, { checks: [check] })).status).toBe(403);
  const ran = (await editor.call('POST', `${at}/run`, { input: {} })).body.executionId;
  // An editor may still change the path on the same host, and settings that name no secret.
  expect((await change(editor, { model: { ...model, baseUrl: 'https://models.example.org/v2' } })).status).toBe(200);
  expect(
    (await change(editor, { mcpServers: {}, model: { name: 'm', baseUrl: 'https://own.example.org/v1' } })).status,
  ).toBe(200);
  // An editor cannot rerun an execution with secrets that the agent no longer uses either.
  const rerun = (by: typeof editor) => by.call('POST', `/api/v1/agents/executions/${ran}/rerun`);
  expect((await rerun(editor)).status).toBe(403);
  expect((await rerun(owner)).status).toBe(202);
  expect((await change(owner, { mcpServers: { tools: other } })).status).toBe(200);
  expect((await rerun(editor)).status).toBe(403);
  expect((await change(owner, {})).status).toBe(200);
  expect((await rerun(editor)).status).toBe(202);
});
