import { describe, expect, it } from 'vitest';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { runAgentApp } from './agent-app.ts';
import { startModelServer } from './model-server.ts';

const SECRET = 'sk-very-secret-"value"-0123456789';
const OPERATORS_KEY = 'operators-own-key-9876543210';
/** The port of the endpoint is known only within a test. The settings of the process are read when an agent runs. */
const settings = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: OPERATORS_KEY, model: 'house-model' };
const outbound = createOutboundFetch({ allow: [], onRefusal: () => {} });
const permitted: { fetch: typeof outbound } = { fetch: outbound };
const app = await runAgentApp({
  model: settings,
  outbound: (request) => permitted.fetch(request),
  secrets: {
    readFor: async (_, uses) => {
      const known = uses.filter(({ secret }) => secret === 'MODEL_KEY');
      return new Map(known.map(({ secret }) => [secret, SECRET]));
    },
  },
});
const owner = await app.user({ role: 'analyst' });
app.work();

async function runAgent(config: object, body: object = { input: { question: 'who?' } }) {
  const { id } = (
    await owner.call('POST', '/api/v1/agents', {
      name: 'Model',
      slug: `model-${Math.random().toString(36).slice(2)}`,
      description: 'You decide.',
      config: { runtime: 'model', ...config },
    })
  ).body.agent;
  const run = await owner.call('POST', `/api/v1/agents/${id}/run?wait_for_completion=60`, body);
  const path = `/api/v1/agents/executions/${run.body.executionId}/files`;
  const trace = (await owner.call('GET', `${path}/trace/trace.jsonl`)).text;
  const issues = (await owner.call('GET', `${path}/issues/issues.md`)).text;
  return { ...run.body, id, path, trace, issues };
}

describe('an agent with a model', () => {
  it('works with the tools until it responds, and keeps output, cost and trace', async () => {
    const model = await startModelServer(({ messages }, n) => {
      if (n === 1)
        return {
          calls: [
            { name: 'files_read', given: { path: 'AGENT.md' } },
            { name: 'files_write', given: { path: 'a/report.md', content: '# R' } },
          ],
        };
      if (n === 2)
        return {
          calls: [
            { name: 'workspace_write', given: { path: 'memory.md', content: 'seen' } },
            { name: 'files_read', given: { path: '../x' } },
          ],
        };
      expect(JSON.stringify(messages.at(-1))).toContain('leads elsewhere');
      return { text: '```json\n{"verdict": "benign"}\n```' };
    });
    settings.baseUrl = model.baseUrl;
    const run = await runAgent({
      permissions: { default: 'allow' },
      model: { creditsPerMillionInput: 5e5, creditsPerMillionOutput: 1e6 },
    });
    expect(run).toMatchObject({
      status: 'completed',
      output: { verdict: 'benign' },
      schemaValid: true,
      error: null,
      cost: { inputTokens: 30, outputTokens: 30, totalTokens: 60, steps: 3, toolCalls: 4, credits: 45 },
    });
    expect(model.requests[0]).toMatchObject({ model: 'house-model', authorization: `Bearer ${OPERATORS_KEY}` });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('You decide.');
    expect(model.requests[0]?.tools?.map(({ function: { name } }) => name)).toContain('workspace_write');
    expect((await owner.call('GET', `${run.path}/output/a%2Freport.md`)).text).toBe('# R');
    expect((await owner.call('GET', `/api/v1/agents/${run.id}/files?path=memory.md`)).body.file).toMatchObject({
      content: 'seen',
      version: 2,
    });
    const types = run.trace
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line).type);
    expect(types.filter((type: string) => type === 'tool')).toHaveLength(4);
    expect(run.trace).not.toContain(OPERATORS_KEY);
  });

  it('sums tokens and cost by version and model; an unknown price makes the cost unknown, not zero', async () => {
    const model = await startModelServer(() => ({ text: '{}' }));
    settings.baseUrl = model.baseUrl;
    const run = await runAgent({ limits: { credits: 5 } });
    expect(run.cost).toEqual(expect.objectContaining({ inputTokens: 10, outputTokens: 10, steps: 1 }));
    expect(run.cost).not.toHaveProperty('credits');
    expect(run.issues).toContain('limits.credits is not enforced');
    const at = `/api/v1/agents/${run.id}`;
    expect((await owner.call('GET', at)).body.agent.stats).toMatchObject({ totalExecutions: 1, avgCredits: null });
    expect((await owner.call('GET', `${at}/usage`)).body.total).toMatchObject({ unpricedRuns: 1, credits: null });
    Object.assign(settings, { prices: { 'house-model': { input: 1e5, output: 4e5 } } });
    await owner.call('PUT', `${at}/files?path=a.md`, { content: 'a' });
    const priced = await owner.call('POST', `${at}/run?wait_for_completion=60`, {});
    Object.assign(settings, { prices: undefined });
    expect(priced.body.cost.credits).toBe(5);
    expect((await owner.call('GET', at)).body.agent.stats).toMatchObject({ totalExecutions: 2, avgCredits: 5 });
    const { body } = await owner.call('GET', `${at}/usage?from=now()-1d`);
    expect(body).toMatchObject({
      scanLimited: false,
      total: { runs: 2, ended: 2, unpricedRuns: 1, totalTokens: 40, credits: 5 },
      versions: [
        { version: 2, runs: 1, unpricedRuns: 0, credits: 5 },
        { version: 1, runs: 1, unpricedRuns: 1, credits: null },
      ],
      models: [{ model: 'house-model', runs: 2 }],
    });
    expect((await owner.call('GET', `${at}/usage?from=2000-01-02&to=2000-01-01`)).status).toBe(400);
    const other = await app.user({ role: 'analyst' });
    await owner.call('PATCH', at, { visibility: 'shared' });
    expect((await other.call('GET', `${at}/usage`)).body.total).toMatchObject({ runs: 0, credits: 0 });
  });

  it('offers only tools within the rights of the caller and the configuration', async () => {
    const model = await startModelServer(() => ({ text: '{}' }));
    settings.baseUrl = model.baseUrl;
    const names = () =>
      model.requests
        .at(-1)
        ?.tools?.map(({ function: { name } }) => name)
        .sort() ?? [];
    const { id } = await runAgent({ permissions: { default: 'allow' } });
    expect(names()).not.toContain('detections_list'); // the key lacks the scope
    await owner.call('PATCH', `/api/v1/agents/${id}`, { visibility: 'shared' });
    const guest = await app.user({ scopes: ['agents:run', 'agents:read'] });
    expect((await guest.call('POST', `/api/v1/agents/${id}/run?wait_for_completion=60`, {})).body.status).toBe(
      'completed',
    );
    expect(names()).toEqual(['files_list', 'files_read', 'files_write', 'http_fetch']);
    await runAgent({ tools: ['files.list'] });
    expect(names()).toEqual(['files_list']);
  });

  it('stops at its limits of steps, tokens, credits and calls, and names the limit', async () => {
    const calls = { calls: [{ name: 'files_list', given: {} }] };
    const model = await startModelServer(() => calls);
    settings.baseUrl = model.baseUrl;
    const steps = await runAgent({ limits: { steps: 3 } });
    expect(steps).toMatchObject({ status: 'failed', error: expect.stringContaining('3 steps'), cost: { steps: 3 } });
    expect(await runAgent({ limits: { tokens: 50 } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('50 tokens'),
    });
    const credits = await runAgent({
      limits: { credits: 25 },
      model: { creditsPerMillionInput: 1e6, creditsPerMillionOutput: 0 },
    });
    expect(credits).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('25 credits'),
      cost: { credits: 30 },
    });
    expect(await runAgent({ limits: { toolCalls: 2 } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('2 tool calls'),
    });
    expect(credits.issues).toContain('25 credits');
  });

  it('keeps secrets out of errors, issues and traces, and the operator’s key away from other endpoints', async () => {
    const model = await startModelServer(({ authorization }) => ({
      status: 401,
      message: `wrong key: ${authorization}`,
    }));
    permitted.fetch = Object.assign(createOutboundFetch({ allow: [`127.0.0.1:${model.port}`], onRefusal: () => {} }));
    const config = { model: { name: 'm', baseUrl: model.baseUrl, apiKeySecret: 'MODEL_KEY' } };
    const run = await runAgent(config);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('answered 401') });
    expect(model.requests[0]?.authorization).toBe(`Bearer ${SECRET}`);
    for (const shown of [JSON.stringify(run), run.trace, run.issues]) {
      expect(shown).not.toContain('sk-very-secret');
      expect(shown).not.toContain(OPERATORS_KEY);
    }
    expect(run.issues).toContain('[redacted]');
    await runAgent({ model: { name: 'm', baseUrl: model.baseUrl } });
    expect(model.requests.at(-1)?.authorization).toBe(undefined);
    permitted.fetch = outbound;
    const refused = await runAgent({ model: { name: 'm', baseUrl: model.baseUrl } });
    expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('not permitted') });
    expect(await runAgent({ model: { ...config.model, apiKeySecret: 'OTHER' } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no secret "OTHER"'),
    });
  });

  it('reports a response that is not JSON or does not match the schema', async () => {
    const model = await startModelServer(() => ({ text: 'I think it is benign.' }));
    settings.baseUrl = model.baseUrl;
    const run = await runAgent({});
    expect(run).toMatchObject({ status: 'completed', output: 'I think it is benign.', schemaValid: false });
    expect(run.issues).toContain('not JSON');
  });
});
