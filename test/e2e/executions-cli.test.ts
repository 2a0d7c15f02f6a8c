import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN, removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { runCommand } from '../deploy/cli/run-command.ts';

/** A user's work with workflows and agents on the command line, on a server in its default configuration. */

let home: string;
let server: TraplineProcess;
let environment: Record<string, string>;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-executions-cli-'));
  server = await startTrapline(['start', '--no-demo'], { LOG_LEVEL: 'warn' }, home);
  await server.logged('Trapline serves');
  const { url } = JSON.parse(await readFile(path.join(home, 'data', 'server.json'), 'utf8')) as { url: string };
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  environment = { TRAPLINE_URL: url, TRAPLINE_API_KEY: key };
});
afterAll(async () => {
  await server.endAll();
  await removeHome(home);
});

const run = (...args: string[]) => runCommand(args, { environment });
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Writes a workflow definition with these tasks to a file. Resolves to its path. */
async function definition(name: string, tasks: readonly object[]): Promise<string> {
  const file = path.join(home, `${name}.yaml`);
  const document = { dsl: '1.0.0', namespace: 'test', name, version: '1.0.0' };
  await writeFile(file, JSON.stringify({ document, do: tasks }, null, 2));
  return file;
}
const statusOf = async (id: string) => (await json<{ status: string }>('executions', 'show', id)).status;

test('versions are released, compared, run by tag, and rolled back', async () => {
  const push = async (value: string, tag: string) =>
    json('workflows', 'push', await definition('greeter', [{ greet: { set: { hello: value } } }]), '--version', tag);
  expect(await push('world', 'one')).toEqual({ workflow: 'greeter', version: 'one', released: true });
  expect(await push('moon', 'two')).toMatchObject({ version: 'two', released: true });
  expect(await push('moon', 'two')).toMatchObject({ version: 'two', released: false });

  const versions = (await run('workflows', 'versions', 'greeter', '--output', 'json')).stdout.trim().split('\n');
  expect(versions.map((line) => JSON.parse(line))).toMatchObject([
    { version: 'two', isCurrent: true },
    { version: 'one', isCurrent: false },
  ]);
  expect((await run('workflows', 'versions', 'greeter')).stdout).toMatch(/VERSION\s+CURRENT[\s\S]*two\s+yes/);
  const diff = (await run('workflows', 'diff', 'greeter', 'one')).stdout;
  expect(diff).toMatch(/^-.*world/m);
  expect(diff).toMatch(/^\+.*moon/m);
  expect((await run('workflows', 'diff', 'greeter', 'one', 'one')).stdout).not.toMatch(/^[-+] /m);

  const hello = (result: string) => ({ status: 'completed', result: { hello: result } });
  expect(await json('workflows', 'run', 'greeter', '--wait')).toMatchObject(hello('moon'));
  expect(await json('workflows', 'run', 'greeter', '--version', 'one', '--wait')).toMatchObject(hello('world'));
  expect(await json('workflows', 'rollback', 'greeter', 'one')).toMatchObject({ version: 'one' });
  expect(await json('workflows', 'run', 'greeter', '--wait')).toMatchObject(hello('world'));
  expect((await run('workflows', 'rollback', 'greeter', 'three')).code).not.toBe(0);
  expect((await run('workflows', 'run', 'greeter', '--version', 'three')).code).not.toBe(0);
});

test('a waiting execution is cancelled, and a finished one is not', async () => {
  await run('workflows', 'push', await definition('sleeper', [{ sleep: { wait: { hours: 1 } } }]));
  const { executionId } = await json<{ executionId: string }>('workflows', 'run', 'sleeper');
  await waitFor('it to wait', async () => (await statusOf(executionId)) === 'waiting');
  expect(await json('executions', 'suspend', executionId)).toMatchObject({ executionId, status: 'suspended' });
  expect(await json('executions', 'resume', executionId)).toMatchObject({ executionId, status: 'resumed' });
  expect((await run('executions', 'suspend', 'exec_none')).code).not.toBe(0);
  await waitFor('it to wait again', async () => (await statusOf(executionId)) === 'waiting');
  expect(await json('executions', 'cancel', executionId)).toMatchObject({ executionId, wasStatus: 'waiting' });
  await waitFor('it to be cancelled', async () => (await statusOf(executionId)) === 'cancelled');
  expect(await json('executions', 'cancel', executionId)).toMatchObject({ status: 'already-terminal' });
  const followed = await run('executions', 'follow', executionId);
  expect(followed.code).toBe(1);
  expect(followed.stdout).toContain('status  cancelled\n');
  expect((await run('executions', 'cancel', 'exec_none')).code).not.toBe(0);
});

test('files are passed by name, read by a script, and available again in a re-run', async () => {
  const code = `
    const { content } = await tools.files.read({ path: 'report' });
    console.log('read', content.length);
    return { read: content, factor: input.factor };`;
  const script = { language: 'javascript', code, arguments: { input: `$\{ . }` } };
  const file = await definition('reader', [{ first: { set: `$\{ . }` } }, { read: { run: { script } } }]);
  expect((await run('workflows', 'push', file)).code).toBe(0);
  await writeFile(path.join(home, 'report.txt'), 'Grüße');
  const given = ['--file', `report=${path.join(home, 'report.txt')}`, '--input', '{"factor": 3}'];
  const result = { read: 'Grüße', factor: 3 };
  const ended = await json<{ executionId: string }>('workflows', 'run', 'reader', ...given, '--wait');
  expect(ended).toMatchObject({ status: 'completed', result });
  expect((await run('executions', 'follow', ended.executionId)).stdout).toMatch(
    /info {4}read 5[\s\S]*read {2}completed/,
  );

  for (const from of [[], ['--from', 'read']]) {
    const again = await json<{ executionId: string }>('executions', 'rerun', ended.executionId, ...from);
    expect(again).toMatchObject({ sourceExecutionId: ended.executionId });
    expect((await run('executions', 'follow', again.executionId)).code).toBe(0);
    expect(await json('executions', 'show', again.executionId)).toMatchObject({ status: 'completed', result });
  }
  expect((await run('executions', 'rerun', ended.executionId, '--from', 'nothing')).code).not.toBe(0);
  expect((await run('workflows', 'run', 'reader', '--file', 'report=/nonexistent/file')).code).not.toBe(0);
});

test('an agent is pushed, evaluated, run again and cancelled', async () => {
  const folder = path.join(home, 'adder');
  await mkdir(folder);
  await writeFile(path.join(folder, 'agent.yaml'), 'slug: adder\nname: Adder\nconfig: { runtime: script }\n');
  await writeFile(
    path.join(folder, 'agent.js'),
    'if (input.wait) await new Promise(() => {}); ({ sum: input.a + input.b })',
  );
  expect(await json('agents', 'push', folder)).toMatchObject({ agent: 'adder', created: true });
  // Reads a file of the agent in its current version, and in the version before the first push.
  expect((await run('agents', 'files', 'adder', '--path', 'agent.js')).stdout).toContain('input.a + input.b');
  const before = await run('agents', 'files', 'adder', '--path', 'agent.js', '--version', '1');
  expect([before.code, before.stdout.includes('input.a + input.b')]).toEqual([0, false]);
  expect((await run('agents', 'files', 'adder')).stdout).toMatch(/^agent\.js\s+\d+\s+2\s/m);
  expect((await run('agents', 'files', 'adder', '--version', '77')).code).not.toBe(0);
  const put = async (name: string, sum: number) => {
    const response = await fetch(`${environment.TRAPLINE_URL}/api/v1/agents/adder/examples/${name}`, {
      method: 'PUT',
      headers: { 'x-api-key': environment.TRAPLINE_API_KEY ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ input: { a: 1, b: 2 }, expected: { sum } }),
    });
    expect(response.status).toBe(200);
  };
  await put('right', 3);
  expect(await json('agents', 'evaluate', 'adder', '--output', 'json')).toMatchObject({
    passed: 1,
    failed: 0,
    open: 0,
  });
  await put('wrong', 4);
  const evaluated = await run('agents', 'evaluate', 'adder', '--batch', 'second');
  expect(evaluated.code).toBe(1);
  expect(evaluated.stdout).toMatch(/right\s+passed[\s\S]*wrong\s+failed\s+exec_\S+\s+\/sum: 4 is expected, not 3/);
  expect((await run('agents', 'evaluate', 'adder', '--example', 'right')).code).toBe(0);

  const input = ['--input', '{"a": 2, "b": 3}'];
  const ended = await json<{ executionId: string }>('agents', 'run', 'adder', ...input, '--wait');
  expect(ended).toMatchObject({ status: 'completed', result: { sum: 5 } });
  const again = await json<{ executionId: string }>('executions', 'rerun', ended.executionId);
  expect((await run('executions', 'follow', again.executionId)).code).toBe(0);
});

test('executions are listed: all, of one workflow, and by status', async () => {
  const all = (await run('executions', 'list', '--output', 'json')).stdout.trim().split('\n');
  const listed = all.map((line) => JSON.parse(line) as { kind: string; name: string; createdAt: string });
  expect(new Set(listed.map(({ kind, name }) => `${kind} ${name}`))).toEqual(
    new Set(['workflow greeter', 'workflow sleeper', 'workflow reader', 'agent adder']),
  );
  const times = listed.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  expect((await run('executions', 'list')).stdout).toMatch(/ID\s+NAME\s+STATUS/);
  const cancelled = (await run('executions', 'list', '--status', 'cancelled')).stdout;
  expect(cancelled).toMatch(/sleeper/);
  expect(cancelled).not.toMatch(/greeter/);
  expect((await run('executions', 'list', '--workflow', 'reader')).stdout).not.toMatch(/sleeper/);
  expect((await run('executions', 'list', '--agent', 'adder')).stdout).toMatch(/completed/);
  expect((await run('executions', 'list', '--kind', 'agent')).stdout).not.toMatch(/reader|sleeper/);
  expect((await run('executions', 'list', '--to', '2001-01-01')).stdout).not.toMatch(/exec_/);
  expect((await run('executions', 'list', '--from', 'now()-1h', '--offset', '1')).stdout).toMatch(/exec_/);
  expect((await run('executions', 'list', '--workflow', 'no-such')).code).not.toBe(0);
  expect((await run('executions', 'list', '--agent', 'adder', '--workflow', 'reader')).code).not.toBe(0);
});

test('an assistant runs a workflow by the tools of the Model Context Protocol on standard input and output', async () => {
  await run('workflows', 'push', await definition('echo', [{ echo: { set: { said: '${ .word }' } } }]));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: { ...environment },
      stderr: 'inherit',
    }),
  );
  try {
    const call = async (name: string, given: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: given })).structuredContent as { status: number; untrusted: unknown };
    const input = { word: 'a\u202Eb' };
    const ran = await call('run_workflow', { id: 'echo', input, waitSeconds: 60, idempotencyKey: 'once' });
    expect(ran).toMatchObject({ status: 201, untrusted: { status: 'completed', result: { said: 'a\\u{202E}b' } } });
    const { executionId } = ran.untrusted as { executionId: string };
    const again = await call('run_workflow', { id: 'echo', input, idempotencyKey: 'once' });
    expect(again.untrusted).toMatchObject({ executionId });
    const read = await call('get_execution', { id: executionId });
    expect(read).toMatchObject({ status: 200, untrusted: { id: executionId, status: 'completed' } });
    expect(await call('list_executions', { id: 'echo' })).toMatchObject({ untrusted: { data: [{ id: executionId }] } });
    expect(await call('list_workflows', { search: 'echo' })).toMatchObject({ untrusted: { total: 1 } });
    expect(await call('get_workflow', { id: 'no-such' })).toMatchObject({ status: 404 });
    // The message is that of the API, not that of the validation library.
    const wrong = await client.callTool({ name: 'get_workflow', arguments: { name: 'echo' } });
    expect(JSON.stringify(wrong.content)).toContain('id: is required, unknown field name');
  } finally {
    await client.close();
  }
});
