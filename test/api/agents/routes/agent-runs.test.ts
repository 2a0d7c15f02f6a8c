import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { agentExecutionSchema, feedbackDetailSchema, runAgentResponseSchema } from '#schemas/api/agents.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY } from '../../running-app.ts';
import { runAgentApp } from '../agent-app.ts';

const app = await runAgentApp();
const owner = await app.user();
const other = await app.user();
app.work();

const SCRIPT = `
if (input.spin) while (true) {}
if (input.wait) await new Promise(() => {});
if (input.fail) throw new Error('no good');
const files = await tools.files.list({ kind: 'input' });
for (const { path } of files) {
  const { content } = await tools.files.read({ kind: 'input', path });
  await tools.files.write({ path: 'out/' + path, content: content.toUpperCase(), contentType: 'text/plain' });
}
console.warn('careful');
({ sum: input.a + input.b, files: files.length, meta: metadata })`;

async function makeAgent(slug: string, script = SCRIPT, config: object = {}) {
  const { id } = (await owner.call('POST', '/api/v1/agents', { name: slug, slug, config })).body.agent;
  expect((await owner.call('PUT', `/api/v1/agents/${id}/files?path=agent.js`, { content: script })).status).toBe(200);
  return `/api/v1/agents/${id}`;
}
const executionPath = (id: string) => `/api/v1/agents/executions/${id}`;

/** The keys marked with a star, which strict clients check. */
async function execution(id: string, include = '') {
  const answer = await owner.call('GET', `${executionPath(id)}${include && `?include=${include}`}`);
  expect(answer.status).toBe(200);
  return agentExecutionSchema.parse(answer.body.execution);
}

describe('runs', () => {
  it('return 202 with the id immediately, and the outcome with wait', async () => {
    const agent = await makeAgent('adder');
    const at = await owner.call('POST', `${agent}/run`, { input: { a: 1, b: 2 }, _metadata: { ticket: 7 } });
    expect(at.status).toBe(202);
    expect(at.body).toEqual({ executionId: expect.stringMatching(/^exec_/) });
    const held = await owner.call('POST', `${agent}/run?wait_for_completion=30`, {
      input: { a: 1, b: 2 },
      _metadata: { ticket: 7 },
    });
    expect(held.status).toBe(202);
    expect(held.headers.get('content-type')).toMatch(/^application\/json/);
    expect(runAgentResponseSchema.parse(held.body)).toMatchObject({
      status: 'completed',
      output: { sum: 3, files: 0, meta: { ticket: 7 } },
      schemaValid: true,
      error: null,
      cost: { toolCalls: 1 },
    });
    const first = await waitFor('the first to end', async () => {
      const one = await execution(at.body.executionId);
      return one.status === 'completed' ? one : undefined;
    });
    expect(first).toMatchObject({ output: { sum: 3 }, schemaValid: true, error: null });
  });

  it('accept files as a form with parts in any order, and return files as attachments', async () => {
    const agent = await makeAgent('files');
    for (const last of [true, false]) {
      const form = new FormData();
      if (!last) form.append('_json', JSON.stringify({ a: 1, b: 1 }));
      form.append('report.txt', new Blob(['hello']), 'C:\\fake\\x.txt');
      form.append('deep/notes', new Blob(['world']), 'notes');
      if (last) form.append('_json', JSON.stringify({ a: 1, b: 1 }));
      const run = await owner.call('POST', `${agent}/run?wait_for_completion=30`, form);
      expect(run.body).toMatchObject({ status: 'completed', output: { sum: 2, files: 2 } });
      const { executionId: id } = run.body;
      const { files } = await execution(id, 'files');
      expect(files?.map(({ kind, name }) => `${kind}:${name}`).sort()).toEqual([
        'input:deep/notes',
        'input:report.txt',
        'issues:issues.md',
        'output:out/deep/notes',
        'output:out/report.txt',
        'trace:trace.jsonl',
      ]);
      const output = await owner.call('GET', `${executionPath(id)}/files/output/out%2Fdeep%2Fnotes`);
      expect([output.status, output.text]).toEqual([200, 'WORLD']);
      expect(output.headers.get('content-type')).toBe('application/octet-stream');
      expect(output.headers.get('x-content-type-options')).toBe('nosniff');
      expect(output.headers.get('content-disposition')).toContain('attachment; filename="notes"');
      expect((await owner.call('GET', `${executionPath(id)}/files/issues/issues.md`)).text).toContain(
        '- warn: careful',
      );
      const trace = await owner.call('GET', `${executionPath(id)}/files/trace/trace.jsonl`);
      expect(trace.headers.get('content-type')).toBe('application/x-ndjson');
      const types = trace.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type);
      expect(types).toEqual(['started', 'tool', 'tool', 'tool', 'tool', 'tool', 'log', 'ended']);
      for (const name of ['..%2F..%2Fetc%2Fpasswd', '%2Fetc%2Fpasswd', '..%5Cx', 'a%00b'])
        expect([name, (await owner.call('GET', `${executionPath(id)}/files/output/${name}`)).status]).toEqual([
          name,
          400,
        ]);
      for (const name of ['none', 'out%252Freport.txt'])
        expect((await owner.call('GET', `${executionPath(id)}/files/output/${name}`)).status).toBe(404);
      expect((await owner.call('GET', `${executionPath(id)}/files/trace/issues.md`)).status).toBe(404);
      expect((await other.call('GET', `${executionPath(id)}/files/output/out%2Freport.txt`)).status).toBe(404);
    }
  });

  // `contract.pdf` sent as `document` becomes a file called `document`, whatever its declared type.
  it('keep the names of uploaded files, and detect their types from the content', async () => {
    const agent = await makeAgent('names', `({ given: await tools.files.list({ kind: 'input' }) })`);
    const form = new FormData();
    const pdf = new Blob([Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')], { type: 'text/plain' });
    form.append('document', pdf, 'C:\\fake\\Größe contract.pdf');
    const run = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, form)).body;
    const id = run.executionId;
    const given = { path: 'document', filename: 'Größe contract.pdf', size: 15, contentType: 'application/pdf' };
    expect(run).toMatchObject({ status: 'completed', output: { given: [given] } });
    const document = {
      kind: 'input',
      name: 'document',
      filename: 'Größe contract.pdf',
      contentType: 'application/pdf',
    };
    expect((await execution(id, 'files')).files).toContainEqual(expect.objectContaining(document));
    const download = await owner.call('GET', `${executionPath(id)}/files/input/document`);
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e_contract.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20contract.pdf`,
    );
    const again = (await owner.call('POST', `${executionPath(id)}/rerun`)).body.executionId;
    expect((await execution(again, 'files')).files).toContainEqual(expect.objectContaining(document));
    const expected = new FormData();
    expected.append('file', new Blob([Buffer.from('%PDF-1.7')], { type: 'image/png' }), 'contract.pdf');
    expect((await owner.call('POST', `${executionPath(id)}/expected`, expected)).status).toBe(201);
    const promoted = await owner.call('POST', `${executionPath(id)}/promote`, { name: 'contract' });
    expect(promoted.status).toBe(201);
    const kept = await app.database.selectFrom('agentExampleFiles').selectAll().orderBy('kind').execute();
    expect(kept).toEqual([
      expect.objectContaining({
        kind: 'expected',
        path: 'contract.pdf',
        contentType: 'application/pdf',
        filename: null,
      }),
      expect.objectContaining({ kind: 'input', path: 'document', filename: 'Größe contract.pdf' }),
    ]);
  });

  it('reject malicious forms without starting anything', async () => {
    const agent = await makeAgent('forms');
    const forms: [string, string | Blob, string?][][] = [
      [['../x', new Blob(['x']), 'x']],
      [['__proto__', new Blob(['x']), 'x']],
      [
        ['a', new Blob(['x']), 'x'],
        ['A', new Blob(['x']), 'x'],
      ],
      [
        ['a', new Blob(['x']), 'x'],
        ['a', new Blob(['x']), 'x'],
      ],
      [['other', 'text']],
      [
        ['_json', '{'],
        ['a', new Blob(['x']), 'x'],
      ],
      Array.from({ length: 51 }, (_, i): [string, Blob, string] => [`f${i}`, new Blob(['x']), 'x']),
    ];
    for (const [index, parts] of forms.entries()) {
      const form = new FormData();
      for (const [name, value, filename] of parts) {
        if (typeof value === 'string') form.append(name, value);
        else form.append(name, value, filename);
      }
      expect([index, (await owner.call('POST', `${agent}/run`, form)).status]).toEqual([index, 400]);
    }
    const large = new FormData();
    large.append('big', new Blob([new Uint8Array(64 * 2 ** 20 + 1)]), 'big');
    expect((await owner.call('POST', `${agent}/run`, large)).status).toBe(400);
    const broken = await fetch(`${app.url}${agent}/run`, {
      method: 'POST',
      headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nnever ends',
    });
    expect(broken.status).toBe(400);
    expect((await owner.call('GET', `${agent}/executions`)).body).toMatchObject({ executions: [], total: 0 });
  });

  it('report a timeout, and continue until they are cancelled', async () => {
    const agent = await makeAgent(
      'slow',
      `await tools.http.fetch({ url: 'http://10.0.0.1/' }).catch(() => {}); while (true) {}`,
      { permissions: { default: 'allow' }, limits: { computeMs: 30_000 } },
    );
    const held = await owner.call('POST', `${agent}/run?wait_for_completion=1`, {});
    expect([held.status, held.body.status]).toEqual([202, 'timeout']);
    const cancelled = await owner.call('POST', `${executionPath(held.body.executionId)}/cancel`);
    expect(cancelled.body.execution).toMatchObject({
      id: held.body.executionId,
      cancelRequestedAt: expect.any(String),
    });
    const ended = await waitFor('the run to be cancelled', async () => {
      const { status } = await execution(held.body.executionId);
      return status === 'cancelled' ? status : undefined;
    });
    expect(ended).toBe('cancelled');
    expect((await owner.call('POST', `${executionPath(held.body.executionId)}/cancel`)).body.execution.status).toBe(
      'cancelled',
    );
    expect((await other.call('POST', `${executionPath(held.body.executionId)}/cancel`)).status).toBe(404);
    for (const wait of ['601', '-1', '1.5', 'x'])
      expect((await owner.call('POST', `${agent}/run?wait_for_completion=${wait}`, {})).status).toBe(400);
  });

  it('fail with a reason for their author, validate the output, and never return a 5xx', async () => {
    const agent = await makeAgent('checked', SCRIPT, {
      outputSchema: { type: 'object', required: ['verdict'] },
      inputSchema: { type: 'object', required: ['a'] },
      limits: { computeMs: 1_000 },
    });
    const run = async (input: object) =>
      (await owner.call('POST', `${agent}/run?wait_for_completion=30`, { input })).body;
    const wrong = await run({ a: 1, b: 1 });
    expect(wrong).toMatchObject({ status: 'completed', schemaValid: false });
    const issues = await owner.call('GET', `${executionPath(wrong.executionId)}/files/issues/issues.md`);
    expect(issues.text).toContain("- output /: must have required property 'verdict'");
    expect(await run({ a: 1, fail: true })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no good'),
      schemaValid: null,
    });
    expect(await run({ a: 1, spin: true })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('1000 ms'),
    });
    expect(await run({ a: 1, wait: true })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('never settles'),
    });
    const refused = await owner.call('POST', `${agent}/run`, { input: { b: 1 } });
    expect([refused.status, refused.body.issues[0].field]).toEqual([400, 'input']);
  });

  it('repeat from the snapshot, whatever happened to the agent; an idempotency key prevents a duplicate', async () => {
    const agent = await makeAgent('snapshot');
    const form = new FormData();
    form.append('a.txt', new Blob(['x']), 'a.txt');
    form.append('_json', JSON.stringify({ a: 2, b: 3 }));
    const source = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, form)).body;
    await owner.call('PUT', `${agent}/files?path=agent.js`, { content: '"changed"' });
    const again = await owner.call('POST', `${executionPath(source.executionId)}/rerun`);
    expect(again.status).toBe(202);
    expect(again.body).toEqual({
      executionId: expect.any(String),
      sourceExecutionId: source.executionId,
      status: 'pending',
    });
    const ended = await waitFor('the second run to end', async () => {
      const one = await execution(again.body.executionId);
      return one.status === 'completed' ? one : undefined;
    });
    expect(ended).toMatchObject({ output: { sum: 5, files: 1 }, sourceExecutionId: source.executionId });

    const key = { 'idempotency-key': 'once' };
    const [one, two] = await Promise.all([1, 2].map(() => owner.call('POST', `${agent}/run`, { input: 1 }, key)));
    expect(one?.body.executionId).toBe(two?.body.executionId);
    expect((await owner.call('POST', `${agent}/run`, { input: 2 }, key)).status).toBe(400);
    expect((await owner.call('POST', `${agent}/run`, { input: 1 }, { 'idempotency-key': 'a\tb' })).status).toBe(400);
    const rerun = (of: string, idempotencyKey: string) =>
      owner.call('POST', `${executionPath(of)}/rerun`, undefined, { 'idempotency-key': idempotencyKey });
    // A client that retries after a lost response sends the same request again.
    const reruns = await Promise.all([1, 2].map(() => rerun(source.executionId, 'once more')));
    expect(reruns[0]?.body.executionId).toBe(reruns[1]?.body.executionId);
    expect((await rerun(source.executionId, 'and again')).body.executionId).not.toBe(reruns[0]?.body.executionId);
    expect((await rerun(again.body.executionId, 'once more')).status).toBe(400);
  });
});

describe('feedback and expected results', () => {
  const ALL_NULL = {
    createdBy: owner.user.id,
    createdByEmail: owner.user.email,
    resolvedAt: null,
    resolvedBy: null,
    resolvedByEmail: null,
    resolvedBySessionId: null,
    promotedExampleName: null,
  };

  it('passes through every state, with all keys present', async () => {
    const agent = await makeAgent('reviewed');
    const { executionId } = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, { a: 1, b: 1 })).body;
    const path = `${executionPath(executionId)}/feedback`;
    const read = async () => feedbackDetailSchema.parse((await owner.call('GET', path)).body);
    const patch = async (body: object) => feedbackDetailSchema.parse((await owner.call('PATCH', path, body)).body);
    expect(await read()).toEqual({ feedback: null, expected: null, expectedFiles: [] });
    expect(await patch({})).toEqual({ feedback: null, expected: null, expectedFiles: [] });
    expect(await patch({ expected: { verdict: 'benign' } })).toEqual({
      feedback: null,
      expected: { verdict: 'benign' },
      expectedFiles: [],
    });
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect((await patch({ feedbackRating: 'fail' })).feedback).toEqual({
      rating: 'fail',
      status: 'open',
      body: '',
      ...ALL_NULL,
      ...times,
    });
    expect((await patch({ feedback: 'wrong host' })).feedback).toMatchObject({
      rating: 'fail',
      status: 'open',
      body: 'wrong host',
    });
    const by = { resolvedAt: expect.any(String), resolvedBy: owner.user.id, resolvedByEmail: owner.user.email };
    const resolved = (await patch({ status: 'resolved' })).feedback;
    expect(resolved).toMatchObject({ status: 'resolved', body: 'wrong host', ...by });
    expect((await patch({ body: 'still' })).feedback).toMatchObject({
      status: 'resolved',
      body: 'still',
      resolvedAt: resolved?.resolvedAt,
    });
    expect((await patch({ feedbackStatus: 'ignored', rating: null })).feedback).toMatchObject({
      status: 'ignored',
      rating: null,
      resolvedAt: null,
      resolvedBy: null,
    });
    expect((await patch({ status: 'open', rating: 'partial' })).feedback).toMatchObject({
      status: 'open',
      rating: 'partial',
    });
    for (const body of [{ rating: 'none' }, { status: 'done' }, { body: null }, { text: 'x' }, { body: 'nul\0' }])
      expect([body, (await owner.call('PATCH', path, body)).status]).toEqual([body, 400]);
    expect((await other.call('PATCH', path, { body: 'x' })).status).toBe(404);
    expect((await owner.call('DELETE', path)).body).toEqual({ feedback: null, expected: null, expectedFiles: [] });
    expect(await read()).toEqual({ feedback: null, expected: null, expectedFiles: [] });
  });

  it('accepts expected files that are uploaded or copied, renamed, downloaded and removed', async () => {
    const agent = await makeAgent('expecting');
    const form = new FormData();
    form.append('in.txt', new Blob(['abc']), 'in.txt');
    const { executionId } = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, form)).body;
    const path = `${executionPath(executionId)}/expected`;
    for (const nameFirst of [true, false]) {
      const upload = new FormData();
      if (nameFirst) upload.append('name', 'dir/up.bin');
      upload.append('file', new Blob(['up']), 'local.bin');
      if (!nameFirst) upload.append('name', 'dir/up.bin');
      expect(await owner.call('POST', path, upload)).toMatchObject({ status: 201, body: { name: 'dir/up.bin' } });
    }
    const unnamed = new FormData();
    unnamed.append('file', new Blob(['up']), 'local.bin');
    expect((await owner.call('POST', path, unnamed)).body).toEqual({ name: 'local.bin' });
    expect(await owner.call('POST', path, { outputFileName: 'out/in.txt' })).toMatchObject({
      status: 201,
      body: { name: 'out/in.txt' },
    });
    expect((await owner.call('POST', path, { outputFileName: 'out/in.txt', expectedName: 'c.txt' })).body).toEqual({
      name: 'c.txt',
    });
    expect((await owner.call('GET', path)).body).toEqual({
      expected: null,
      files: ['c.txt', 'dir/up.bin', 'local.bin', 'out/in.txt'].map((name) => ({ name })),
    });
    const download = await owner.call('GET', `${path}/dir%2Fup.bin`);
    expect([download.text, download.headers.get('content-type')]).toEqual(['up', 'application/octet-stream']);
    expect(await owner.call('PATCH', `${path}/dir%2Fup.bin`, { name: 'new.bin' })).toMatchObject({
      status: 200,
      body: { name: 'new.bin' },
    });
    expect((await owner.call('PATCH', `${path}/new.bin`, { name: 'c.txt' })).status).toBe(400);
    expect((await owner.call('PATCH', `${path}/new.bin`, { name: '../x' })).status).toBe(400);
    expect((await owner.call('PATCH', `${path}/none`, { name: 'y' })).status).toBe(404);
    const gone = await owner.call('DELETE', `${path}/c.txt`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await owner.call('DELETE', `${path}/c.txt`)).status).toBe(404);
    expect((await owner.call('POST', path, { outputFileName: 'none' })).status).toBe(404);
    expect((await owner.call('POST', path, {})).status).toBe(400);
    const evil = new FormData();
    evil.append('file', new Blob(['x']), 'x');
    evil.append('name', '../../x');
    expect((await owner.call('POST', path, evil)).status).toBe(400);
    const detail = (await owner.call('GET', `${executionPath(executionId)}/feedback`)).body;
    expect(detail.expectedFiles.map(({ name }: { name: string }) => name)).toEqual([
      'local.bin',
      'new.bin',
      'out/in.txt',
    ]);
    expect((await owner.call('DELETE', `${executionPath(executionId)}/feedback`)).body.expectedFiles).toEqual([]);
  });

  it('is not saved as an example without room, because examples are read as a whole', async () => {
    const agent = await makeAgent('roomy');
    const agentId = agent.split('/').at(-1) as string;
    const { executionId } = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, { input: { a: 1, b: 1 } }))
      .body;
    const put = (name: string) => owner.call('PUT', `${agent}/examples/${name}`, { input: {} });
    const promote = (name: string) => owner.call('POST', `${executionPath(executionId)}/promote`, { name });
    const fill = (count: number, bytes: number) =>
      sql`INSERT INTO agent_examples (id, agent_id, name, input)
        SELECT 'awx_' || lpad(n::text, 20, '0'), ${agentId}, 'filled' || n, to_json(repeat('x', ${bytes}::integer))
        FROM generate_series(1, ${count}::integer) AS n`.execute(app.database);
    await fill(1_000, 1);
    expect([(await put('filled1')).status, (await put('new')).status, (await promote('new')).status]).toEqual([
      200, 400, 400,
    ]);
    await app.database.deleteFrom('agentExamples').where('agentId', '=', agentId).execute();
    await fill(2, 16 * 2 ** 20 - 100);
    expect([(await put('filled1')).status, (await promote('filled2')).status]).toEqual([200, 201]);
    await app.database.deleteFrom('agentExamples').where('agentId', '=', agentId).execute();
    await fill(2, 16 * 2 ** 20);
    expect([(await put('new')).status, (await promote('new')).status]).toEqual([400, 400]);
  });

  it('becomes an example, and examples are evaluated as one batch', async () => {
    const agent = await makeAgent('evaluated');
    const { executionId } = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, { input: { a: 1, b: 1 } }))
      .body;
    await owner.call('PATCH', `${executionPath(executionId)}/feedback`, { expected: { sum: 2 }, body: 'good' });
    expect(await owner.call('POST', `${executionPath(executionId)}/promote`, { name: 'one and one' })).toMatchObject({
      status: 201,
    });
    expect((await execution(executionId, 'feedback')).feedback?.promotedExampleName).toBe('one and one');
    await owner.call('PUT', `${agent}/examples/two`, { input: { a: 2, b: 2 }, expected: { sum: 4 } });
    expect((await owner.call('GET', `${agent}?include=dataset`)).body.agent).toMatchObject({
      stats: {
        exampleCount: 2,
        totalExecutions: 1,
        lastExecutionAt: expect.any(String),
        avgDurationMs: expect.any(Number),
      },
      dataset: [
        { name: 'one and one', input: { a: 1, b: 1 }, expected: { sum: 2 }, sourceExecutionId: executionId },
        { name: 'two' },
      ],
    });
    const started = await owner.call('POST', `${agent}/evaluations`, { batchId: 'night' });
    expect(started).toMatchObject({ status: 202, body: { batchId: 'night' } });
    expect((await owner.call('POST', `${agent}/evaluations`, { batchId: 'night' })).body).toEqual(started.body);
    const batch = await owner.call('GET', `${agent}/executions?batchId=night&sort=exampleName&order=asc`);
    expect(batch.body.executions.map(({ exampleName }: { exampleName: string }) => exampleName)).toEqual([
      'one and one',
      'two',
    ]);
    const results = await waitFor('the results', async () => {
      const { body } = await owner.call('GET', `${agent}/evaluations/night`);
      return body.open === 0 && body;
    });
    expect(results).toMatchObject({ batchId: 'night', total: 2, passed: 2, failed: 0, notCompared: 0 });
    expect((await owner.call('GET', `${agent}/evaluations/day`)).status).toBe(404);
    expect((await owner.call('POST', `${agent}/evaluations`, { examples: ['three'] })).status).toBe(400);
    expect((await owner.call('DELETE', `${agent}/examples/two`)).status).toBe(204);
    expect((await owner.call('DELETE', `${agent}/examples/two`)).status).toBe(404);
  });

  it('is compared with the expected result of its example: exact, subset, schema and files', async () => {
    const agent = await makeAgent('compared', '({ sum: input.a + input.b })');
    const example = (name: string, body: object) =>
      owner.call('PUT', `${agent}/examples/${name}`, { input: { a: 1, b: 2 }, ...body });
    await example('exact-right', { expected: { sum: 3 }, comparison: 'exact' });
    await example('exact-less', { expected: {}, comparison: 'exact' });
    await example('subset-less', { expected: {} });
    await example('subset-wrong', { expected: { sum: 4 } });
    await example('schema-right', { expected: { properties: { sum: { maximum: 3 } } }, comparison: 'schema' });
    await example('schema-wrong', { expected: { properties: { sum: { maximum: 2 } } }, comparison: 'schema' });
    await example('nothing', {});
    expect((await example('odd', { comparison: 'nearly' })).status).toBe(400);
    await owner.call('POST', `${agent}/evaluations`, { batchId: 'all' });
    const results = await waitFor('the results', async () => {
      const { body } = await owner.call('GET', `${agent}/evaluations/all`);
      return body.open === 0 && body;
    });
    expect(results).toMatchObject({ total: 7, passed: 3, failed: 3, notCompared: 1 });
    const evaluations = Object.fromEntries(
      results.executions.map(({ exampleName, evaluation }: { exampleName: string; evaluation: object }) => [
        exampleName,
        evaluation,
      ]),
    );
    expect(evaluations).toMatchObject({
      'exact-right': { passed: true, comparison: 'exact', differences: [] },
      'exact-less': { passed: false, differences: [{ path: '/sum', message: 'is not expected' }] },
      'subset-less': { passed: true },
      'subset-wrong': { passed: false, differences: [{ path: '/sum', message: '4 is expected, not 3' }] },
      'schema-right': { passed: true, comparison: 'schema' },
      'schema-wrong': { passed: false, differences: [{ path: '/sum' }] },
      nothing: null,
    });
    const wrong = results.executions.find(({ exampleName }: { exampleName: string }) => exampleName === 'subset-wrong');
    const kept = await execution(wrong.executionId, 'expected');
    expect(kept).toMatchObject({ evaluation: { passed: false }, expected: { sum: 4 } });
    const again = await owner.call('POST', `${executionPath(wrong.executionId)}/rerun`);
    await waitFor('the re-run to be compared', async () => {
      const { evaluation } = await execution(again.body.executionId);
      return evaluation !== null && evaluation;
    });
    const stranger = await app.user();
    expect((await stranger.call('GET', `${agent}/evaluations/all`)).status).toBe(404);
  });

  it('reports missing expected files', async () => {
    const agent = await makeAgent('files-compared', `await tools.files.write({ path: 'a.txt', content: 'x' }); ({})`);
    const { executionId } = (await owner.call('POST', `${agent}/run?wait_for_completion=30`, { input: { a: 1, b: 1 } }))
      .body;
    const files = (await execution(executionId, 'files')).files ?? [];
    const [made] = files.filter(({ kind }: { kind: string }) => kind === 'output');
    expect(made).toBeDefined();
    const path = `${executionPath(executionId)}/expected`;
    await owner.call('POST', path, { outputFileName: made?.name });
    const form = new FormData();
    form.append('file', new Blob(['other']), 'missing.txt');
    await owner.call('POST', path, form);
    await owner.call('POST', `${executionPath(executionId)}/promote`, { name: 'with files' });
    await owner.call('POST', `${agent}/evaluations`, { batchId: 'files' });
    const results = await waitFor('the results', async () => {
      const { body } = await owner.call('GET', `${agent}/evaluations/files`);
      return body.open === 0 && body;
    });
    expect(results.executions[0].evaluation).toMatchObject({
      passed: false,
      differences: [{ path: 'missing.txt', message: expect.stringContaining('was not made') }],
    });
  });
});
