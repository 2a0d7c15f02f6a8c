import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkSupported } from '#api/executions/engine/check-supported.ts';
import type { ExternalTask } from '#api/executions/engine/port.ts';
import { createContainerTask } from '#api/executions/tasks/process/container-task.ts';
import { createPythonTask } from '#api/executions/tasks/process/python-task.ts';
import { createShellTask } from '#api/executions/tasks/process/shell-task.ts';
import { splitWords } from '#api/executions/tasks/process/split-words.ts';
import { play, useEvaluate, workflow } from '../engine/play.ts';
import { taskContext, unbound } from './task-context.ts';

type ShellTask = Extract<ExternalTask, { kind: 'shell' }>;
type PythonTask = Extract<ExternalTask, { kind: 'python' }>;
type ContainerTask = Extract<ExternalTask, { kind: 'container' }>;
const SECRET = 'the secret of the process';
const resolveSecrets = async () => new Map([['key', unbound(SECRET)]]);
const context = (over = {}) => taskContext({ secretNames: ['key'], ...over });
const evaluate = useEvaluate();

test('the arguments of a process are evaluated', async () => {
  const definition = workflow(`
do:
  - shell: { run: { shell: { command: echo, arguments: { '\${ .name }': '', -n: 5 }, environment: { A: '\${ $secrets.key }' } }, return: all } }
  - python: { run: { script: { language: python, code: 'print(a)', arguments: { a: '\${ .name }' }, environment: { B: 2 } }, return: code } }
  - container: { run: { container: { image: 'img:1', command: 'say "\${ .name }"', lifetime: { cleanup: never } }, return: code } }`);
  const { tasks } = await play({
    definition,
    evaluate,
    context: { input: { name: 'ann' }, secretNames: ['key'] },
    outside: () => ({ output: { name: 'bob' } }),
  });
  expect(tasks.map(({ task }) => task)).toEqual([
    {
      kind: 'shell',
      command: 'echo',
      arguments: ['${ .name }', '-n', '5'],
      environment: { A: { $secret: 'key' } },
      return: 'all',
    },
    { kind: 'python', code: 'print(a)', arguments: { a: 'bob' }, environment: { B: '2' }, return: 'code' },
    {
      kind: 'container',
      image: 'img:1',
      name: 'test-exec_1.default-container',
      command: 'say "bob"',
      environment: {},
      keep: true,
      return: 'code',
    },
  ]);
});

test('processes are refused at release where the operator does not allow them', () => {
  const definition = workflow(`
do:
  - a: { run: { shell: { command: x } } }
  - b: { run: { container: { image: x, volumes: { /: /host }, lifetime: { cleanup: eventually, after: PT1S } }, await: false } }
  - c: { run: { script: { language: python, code: '1' }, return: all } }
  - d: { run: { script: { language: ruby, code: '1' }, return: all } }
  - e: { call: mcp, with: { method: tools/list, transport: { stdio: { command: x } } } }`);
  const keys = (features?: { shell: boolean; containers: boolean }) =>
    checkSupported(definition, features).map(({ key }) => key);
  expect(keys({ shell: false, containers: false })).toEqual([
    'run.shell',
    'run.container',
    'run.container.part',
    'run.container.lifetime',
    'run.await',
    'run.python',
    'run.return',
    'run.script.language',
    'call.mcp.stdio',
  ]);
  expect(keys({ shell: true, containers: true })).toEqual([
    'run.container.part',
    'run.container.lifetime',
    'run.await',
    'run.return',
    'run.script.language',
  ]);
});

describe('run: shell', () => {
  const task = (command: string, over: Partial<ShellTask> = {}): ShellTask => ({
    kind: 'shell',
    command,
    arguments: [],
    environment: {},
    return: 'stdout',
    ...over,
  });
  const run = createShellTask({ resolveSecrets }, { allowed: true });

  test('runs a command with arguments that the shell does not read, and nothing of our environment', async () => {
    expect(await run(task("printf '%s|'", { arguments: ['$HOME', '; echo x'] }), context())).toBe('$HOME|; echo x|');
    const environment = { GIVEN: 'yes', TOKEN: { $secret: 'key' } };
    const output = await run(
      task('env | cut -d= -f1 | sort | tr "\\n" " "; echo "$TOKEN" >&2', { environment, return: 'all' }),
      context(),
    );
    expect(output).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^GIVEN HOME (?:OLDPWD )?PATH PWD (?:SHLVL )?TMPDIR TOKEN (?:_ )?$/),
      stderr: '[secret]\n',
    });
  });

  test.each<[string, ShellTask['return'], unknown]>([
    ['stdout', 'stdout', 'out\n'],
    ['stderr', 'stderr', 'err\n'],
    ['code', 'code', 0],
    ['none', 'none', null],
  ])('gives its %s', async (_name, asked, expected) => {
    expect(await run(task('echo out; echo err >&2', { return: asked }), context())).toBe(expected);
  });

  test('receives no secret that is bound to hosts', async () => {
    const bound = { value: SECRET, hosts: ['api.example.org'] };
    const refused = createShellTask({ resolveSecrets: async () => new Map([['key', bound]]) }, { allowed: true });
    const environment = { TOKEN: { $secret: 'key' } };
    await expect(refused(task('echo $TOKEN', { environment }), context())).rejects.toMatchObject({
      error: { status: 403, detail: 'the secret key may not be sent to a shell command: its owner chose other hosts' },
    });
  });

  test('fails with the command, unless the code is asked for', async () => {
    await expect(run(task('echo broken >&2; exit 3'), context())).rejects.toMatchObject({
      error: { status: 500, detail: 'the command ended with the code 3: broken' },
    });
    expect(await run(task('exit 3', { return: 'code' }), context())).toBe(3);
  });

  test('is ended by its limits and with its step, and everything it started', async () => {
    const brief = createShellTask({ resolveSecrets }, { allowed: true, timeoutMs: 300 });
    await expect(brief(task('sleep 1000 & sleep 1000'), context())).rejects.toMatchObject({ error: { status: 408 } });
    await expect(run(task('yes'), context())).rejects.toMatchObject({
      error: { detail: 'the command wrote more than 1048576 bytes to stdout' },
    });
    const abort = new AbortController();
    const ended = run(task('sleep 1000'), context({ signal: abort.signal }));
    abort.abort(new Error('the step was ended'));
    await expect(ended).rejects.toThrow('the step was ended');
  });

  test('is refused unless it is allowed', async () => {
    const refused = createShellTask({ resolveSecrets }, { allowed: false });
    await expect(refused(task('true'), context())).rejects.toMatchObject({ error: { status: 403 } });
  });
});

describe('a script in Python', () => {
  const task = (code: string, over: Partial<PythonTask> = {}): PythonTask => ({
    kind: 'python',
    code,
    arguments: {},
    environment: {},
    return: 'stdout',
    ...over,
  });
  const documents = { text: async () => 'print("fetched")' };
  const run = createPythonTask({ documents }, { allowed: true });

  test('has its arguments as variables, its environment, and nothing of ours', async () => {
    const code = 'import os\nprint(name, arguments["n"] + 1, os.environ["GIVEN"], sorted(os.environ))';
    const given = { arguments: { name: 'Änn', n: 1, 'not-a-name': null }, environment: { GIVEN: 'yes' } };
    expect(await run(task(code, given), context())).toMatch(
      /^Änn 2 yes \['GIVEN', 'HOME', (?:'LC_CTYPE', )?'PATH', 'TMPDIR'\]\n$/,
    );
    expect(await run(task('', { source: { endpoint: 'https://example.org/a.py' } }), context())).toBe('fetched\n');
  });

  test('fails with its error, and ends with its step', async () => {
    await expect(run(task('raise ValueError("broken")'), context())).rejects.toMatchObject({
      error: {
        status: 500,
        detail: expect.stringMatching(/the script ended with the code 1: [\s\S]*ValueError: broken$/),
      },
    });
    expect(await run(task('raise SystemExit(3)', { return: 'code' }), context())).toBe(3);
    const abort = new AbortController();
    const ended = run(task('import time; time.sleep(1000)'), context({ signal: abort.signal }));
    abort.abort(new Error('the step was ended'));
    await expect(ended).rejects.toThrow('the step was ended');
  });

  test('is refused unless it is allowed', async () => {
    const refused = createPythonTask({ documents }, { allowed: false });
    await expect(refused(task('1'), context())).rejects.toMatchObject({ error: { status: 403 } });
  });
});

describe('run: container', () => {
  /** The part of the Docker Engine API that is used, over a socket. `docs/limits.md` says how it was tried with an engine. */
  async function startEngine(
    more: { code?: number; exists?: boolean; status?: string; pulled?: boolean; wait?: boolean } = {},
  ) {
    let { pulled = true } = more;
    const seen: { request: string; body: Record<string, unknown> }[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'engine-'));
    const part = (stream: number, text: string) => {
      const head = Buffer.alloc(8);
      head[0] = stream;
      head.writeUInt32BE(text.length, 4);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    const server = createServer(async (request: IncomingMessage, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const asked = `${request.method} ${request.url}`;
      seen.push({ request: asked, body: text === '' ? {} : JSON.parse(text) });
      const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
      if (asked.startsWith('POST /containers/create')) {
        if (!pulled) return send(404, { message: 'No such image' });
        return more.exists ? send(409, { message: 'Conflict' }) : send(201, { Id: 'c1' });
      }
      if (asked.startsWith('POST /images/create')) {
        pulled = true;
        return response.writeHead(200).end('{"status":"pulling"}\n{"status":"done"}\n');
      }
      if (asked.endsWith('/json')) return send(200, { State: { Status: more.status ?? 'created' } });
      if (asked.endsWith('/wait')) return more.wait ? undefined : send(200, { StatusCode: more.code ?? 0 });
      if (asked.includes('/logs'))
        return response.end(Buffer.concat([part(1, 'out '), part(2, SECRET), part(1, 'more')]));
      return response.writeHead(204).end();
    });
    const socketPath = join(folder, 'engine.sock');
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    });
    return { seen, run: createContainerTask({ resolveSecrets }, { socketPath }) };
  }
  const task = (over: Partial<ContainerTask> = {}): ContainerTask => ({
    kind: 'container',
    image: 'img',
    name: 'wf/näme',
    environment: { TOKEN: { $secret: 'key' } },
    keep: false,
    return: 'all',
    ...over,
  });

  test('creates, starts, waits, reads the streams and removes, without network and rights', async () => {
    const { seen, run } = await startEngine();
    expect(await run(task({ command: 'say "a b"' }), context())).toEqual({
      code: 0,
      stdout: 'out more',
      stderr: '[secret]',
    });
    expect(seen.map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/, 'KEY'))).toEqual([
      'POST /containers/create?name=wf-n-me-KEY',
      'GET /containers/c1/json',
      'POST /containers/c1/start',
      'POST /containers/c1/wait',
      'GET /containers/c1/logs?stdout=true&stderr=true',
      'DELETE /containers/c1?force=true&v=true',
    ]);
    expect(seen[0]?.body).toMatchObject({
      Image: 'img',
      Cmd: ['say', 'a b'],
      Env: [`TOKEN=${SECRET}`],
      HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'] },
    });
  });

  test('pulls an image that is missing, and finds the container of an earlier try', async () => {
    const { seen, run } = await startEngine({ pulled: false, exists: true, status: 'exited' });
    await run(task({ keep: true }), context());
    const requests = seen.map(({ request }) => request);
    expect(requests[1]).toBe('POST /images/create?fromImage=img%3Alatest');
    expect(requests[4]).toMatch(/^POST \/containers\/wf-n-me-[0-9a-f-]{36}\/wait$/);
    expect(requests.some((request) => request.startsWith('DELETE'))).toBe(false);
  });

  test('fails with the container, removes it with the step, and says what the engine refused', async () => {
    const failed = await startEngine({ code: 7 });
    await expect(failed.run(task({ return: 'stdout' }), context())).rejects.toMatchObject({
      error: { detail: 'the container ended with the code 7: [secret]' },
    });
    const { seen, run } = await startEngine({ wait: true });
    const abort = new AbortController();
    const ended = run(task(), context({ signal: abort.signal }));
    await expect.poll(() => seen.some(({ request }) => request.endsWith('/wait'))).toBe(true);
    abort.abort(new Error('the step was ended'));
    await expect(ended).rejects.toThrow('the step was ended');
    expect(seen.at(-1)?.request).toMatch(/^DELETE/);
  });

  test('is refused without an engine, and fails when it does not answer', async () => {
    const without = createContainerTask({ resolveSecrets }, { socketPath: undefined });
    await expect(without(task(), context())).rejects.toMatchObject({ error: { status: 403 } });
    const gone = createContainerTask({ resolveSecrets }, { socketPath: '/nowhere/engine.sock' });
    await expect(gone(task(), context())).rejects.toMatchObject({ error: { status: 503 } });
  });
});

test.each<[string, readonly string[] | undefined]>([
  ['a  b\tc', ['a', 'b', 'c']],
  [`say "a b" 'c "d' e\\ f`, ['say', 'a b', 'c "d', 'e f']],
  ['a"b"c ""', ['abc', '']],
  ['"open', undefined],
])('splits %s', (command, words) => {
  expect(splitWords(command)).toEqual(words);
});
