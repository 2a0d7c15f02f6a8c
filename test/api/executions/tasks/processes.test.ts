import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EngineFeatures } from '#api/executions/engine/contract/engine-features.ts';
import type { ContainerTask, PythonTask, ShellTask } from '#api/executions/engine/contract/process-task.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import { removeDue } from '#api/executions/tasks/process/container-cleanup.ts';
import { createContainerEngine } from '#api/executions/tasks/process/container-engine.ts';
import { type ContainerTaskConfig, createContainerTask } from '#api/executions/tasks/process/container-task.ts';
import { createPythonTask } from '#api/executions/tasks/process/python-task.ts';
import { createShellTask } from '#api/executions/tasks/process/shell-task.ts';
import { splitWords } from '#api/executions/tasks/process/split-words.ts';
import { play, useEvaluate, workflow } from '../engine/play.ts';
import { taskContext, unbound } from './task-context.ts';

const SECRET = 'the secret of the process';
const resolveSecrets = async () => new Map([['key', unbound(SECRET)]]);
const context = (over = {}) => taskContext({ secretNames: ['key'], ...over });
const evaluate = useEvaluate();

test('evaluates the arguments of a process', async () => {
  const definition = workflow(`
do:
  - shell: { run: { shell: { command: echo, arguments: { '\${ .name }': '', -n: 5 }, environment: { A: '\${ $secrets.key }' } }, return: all } }
  - python: { run: { script: { language: python, code: 'print(a)', arguments: { a: '\${ .name }' }, environment: { B: 2 } }, return: code } }
  - container: { run: { container: { image: 'img:1', command: 'say "\${ .name }"', lifetime: { cleanup: never } }, return: code } }
  - listed: { run: { shell: { command: cat, arguments: ['\${ .name }', -n], stdin: '\${ . }' }, await: false } }
  - piped: { run: { script: { language: python, code: '1', arguments: [a], stdin: '\${ .name }' }, return: none } }
  - sandboxed: { run: { script: { language: js, code: '1', arguments: [a], stdin: x }, return: all } }
  - whole: { run: { container: { image: x, arguments: ['\${ .name }', a b], stdin: '\${ . }', pullPolicy: always, volumes: { /data: '/in:ro' }, ports: { 20000: 80 }, lifetime: { cleanup: eventually, after: { minutes: 5 } } } } }`);
  const { tasks } = await play({
    definition,
    evaluate,
    context: { input: { name: 'ann' }, secretNames: ['key'] },
    // A task with `await: false` returns its input, whatever its result.
    outside: (_task, { step }) => ({ output: step.endsWith('listed') ? 'lost' : { name: 'bob' } }),
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
    {
      kind: 'shell',
      command: 'cat',
      arguments: [],
      argv: ['bob', '-n'],
      environment: {},
      stdin: '{"name":"bob"}',
      return: 'stdout',
      detached: true,
    },
    { kind: 'python', code: '1', arguments: {}, argv: ['a'], environment: {}, stdin: 'bob', return: 'none' },
    {
      kind: 'script',
      language: 'js',
      code: '1',
      arguments: {},
      argv: ['a'],
      environment: {},
      stdin: 'x',
      return: 'all',
    },
    {
      kind: 'container',
      image: 'x',
      name: 'test-exec_1.default-whole',
      arguments: ['bob', 'a b'],
      environment: {},
      stdin: '{"name":"bob"}',
      pullPolicy: 'always',
      volumes: { '/data': '/in:ro' },
      ports: { 20000: '80' },
      keep: false,
      removeAfterMs: 300_000,
      return: 'stdout',
    },
  ]);
});

test('rejects processes at release if the operator does not allow them', () => {
  const definition = workflow(`
do:
  - a: { run: { shell: { command: x } } }
  - b: { run: { container: { image: x, volumes: { /: /host }, ports: { 1: 2 }, lifetime: { cleanup: eventually, after: PT1S } }, await: false } }
  - c: { run: { script: { language: python, code: '1' }, return: all } }
  - d: { run: { script: { language: ruby, code: '1' }, return: all } }
  - w: { run: { workflow: { namespace: x, name: y, version: '1' }, return: all } }
  - e: { call: mcp, with: { method: tools/list, transport: { stdio: { command: x } } } }`);
  const keys = (features?: EngineFeatures) => checkSupported(definition, features).map(({ key }) => key);
  expect(keys({ shell: false, containers: false, containerVolumes: false, containerPorts: false })).toEqual([
    'run.shell',
    'run.container',
    'run.container.volumes',
    'run.container.ports',
    'run.python',
    'run.script.language',
    'run.return',
    'call.mcp.stdio',
  ]);
  expect(keys({ shell: true, containers: true })).toEqual(['run.script.language', 'run.return']);
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

  test('runs a command with arguments that the shell does not interpret, without our environment', async () => {
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

  test('passes its standard input, and listed arguments by number or after the command', async () => {
    const given = { argv: ['Foo', '$HOME'], stdin: 'Grüße' };
    const reads = 'input=$(cat)\necho "STDIN was: $input"\necho "ARGS are $1 $2"\n';
    expect(await run(task(reads, given), context())).toBe('STDIN was: Grüße\nARGS are Foo $HOME\n');
    expect(await run(task("printf '%s|'\n", given), context())).toBe('Foo|$HOME|');
    expect(await run(task('shift; for each do echo "$each"; done', given), context())).toBe('$HOME\n');
    // A command that does not read its input, and one without input.
    expect(await run(task('true', { stdin: 'x'.repeat(1_000_000), return: 'code' }), context())).toBe(0);
    expect(await run(task('cat'), context())).toBe('');
  });

  test.each<[string, ShellTask['return'], unknown]>([
    ['stdout', 'stdout', 'out\n'],
    ['stderr', 'stderr', 'err\n'],
    ['code', 'code', 0],
    ['none', 'none', null],
  ])('returns its %s', async (_name, asked, expected) => {
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

  test('fails with the command, unless the exit code is returned', async () => {
    await expect(run(task('echo broken >&2; exit 3'), context())).rejects.toMatchObject({
      error: { status: 500, detail: 'the command ended with the code 3: broken' },
    });
    expect(await run(task('exit 3', { return: 'code' }), context())).toBe(3);
  });

  test('stops at its limits and with its step, with all its children', async () => {
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

  test('is rejected unless it is allowed', async () => {
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

  test('reads its standard input, and listed arguments from sys.argv', async () => {
    const code = 'import sys\nprint(sys.argv, sys.stdin.read())';
    expect(await run(task(code, { argv: ['hello', '-c'], stdin: 'Grüße' }), context())).toBe(
      "['script.py', 'hello', '-c'] Grüße\n",
    );
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

  test('is rejected unless it is allowed', async () => {
    const refused = createPythonTask({ documents }, { allowed: false });
    await expect(refused(task('1'), context())).rejects.toMatchObject({ error: { status: 403 } });
  });
});

describe('run: container', () => {
  /**
   * The part of the Docker Engine API that is used, on a socket. `docs/limits.md` describes the tests with a real
   * engine.
   */
  async function startEngine(
    more: {
      code?: number;
      exists?: boolean;
      status?: string;
      pulled?: boolean;
      wait?: boolean;
      config?: Partial<ContainerTaskConfig>;
    } = {},
    ended = new Map<string, { readonly after: string; readonly finishedAt: string }>(),
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
      if (asked.startsWith('GET /containers/json'))
        return send(
          200,
          [...ended].map(([Id, { after }]) => ({ Id, Labels: { 'org.trapline.remove-after-ms': after } })),
        );
      const known = /^(?:GET|DELETE) \/containers\/(\w+)/.exec(asked)?.[1] ?? '';
      const one = ended.get(known);
      if (asked.startsWith('DELETE')) ended.delete(known);
      else if (one !== undefined) return send(200, { State: { Status: 'exited', FinishedAt: one.finishedAt } });
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
    let stdin = '';
    server.on('upgrade', (request: IncomingMessage, socket) => {
      seen.push({ request: `${request.method} ${request.url}`, body: {} });
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
      socket.on('data', (chunk: Buffer) => {
        stdin += chunk.toString();
      });
      socket.on('end', () => socket.end());
    });
    const socketPath = join(folder, 'engine.sock');
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    });
    const run = createContainerTask({ resolveSecrets }, { socketPath, ...more.config });
    return { seen, run, stdin: () => stdin, engine: createContainerEngine(socketPath) };
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

  test('pulls a missing image, and finds the container of an earlier attempt', async () => {
    const { seen, run } = await startEngine({ pulled: false, exists: true, status: 'exited' });
    await run(task({ keep: true }), context());
    const requests = seen.map(({ request }) => request);
    expect(requests[1]).toBe('POST /images/create?fromImage=img%3Alatest');
    expect(requests[4]).toMatch(/^POST \/containers\/wf-n-me-[0-9a-f-]{36}\/wait$/);
    expect(requests.some((request) => request.startsWith('DELETE'))).toBe(false);
  });

  test('fails with the container, removes it with the step, and reports errors of the engine', async () => {
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

  test('gets input, arguments, mounts and ports that the operator allows', async () => {
    const data = await mkdtemp(join(tmpdir(), 'mounted-'));
    onTestFinished(() => rm(data, { recursive: true }));
    await symlink('/etc', join(data, 'link'));
    const config = { network: 'workflows', access: { volumes: [data, 'cache'], ports: { from: 20_000, to: 20_009 } } };
    const { seen, run, stdin } = await startEngine({ config });
    const whole = task({
      command: 'cat -n',
      arguments: ['a b'],
      stdin: 'grüße',
      pullPolicy: 'always',
      volumes: { [`${data}/.`]: '/in:ro', cache: '/cache' },
      ports: { 20001: '80', 20002: '53/udp' },
    });
    await run(whole, context());
    await expect.poll(stdin).toBe('grüße');
    const requests = seen.map(({ request }) => request.replace(/\?.*/, ''));
    expect(requests.slice(0, 5)).toEqual([
      'POST /images/create',
      'POST /containers/create',
      'GET /containers/c1/json',
      'POST /containers/c1/attach',
      'POST /containers/c1/start',
    ]);
    expect(seen[1]?.body).toMatchObject({
      Cmd: ['cat', '-n', 'a b'],
      OpenStdin: true,
      StdinOnce: true,
      HostConfig: {
        NetworkMode: 'workflows',
        Mounts: [
          { Type: 'bind', Source: data, Target: '/in', ReadOnly: true },
          { Type: 'volume', Source: 'cache', Target: '/cache', ReadOnly: false },
        ],
        PortBindings: {
          '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '20001' }],
          '53/udp': [{ HostIp: '127.0.0.1', HostPort: '20002' }],
        },
      },
    });
    for (const [part, message] of [
      [{ volumes: { '/etc': '/in' } }, 'does not list /etc'],
      [{ volumes: { [`${data}/../other`]: '/in' } }, 'does not list'],
      [{ volumes: { [`${data}/link`]: '/in' } }, 'does not list /etc'],
      [{ volumes: { other: '/in' } }, 'does not list other'],
      [{ volumes: { cache: 'in' } }, 'needs an absolute path'],
      [{ ports: { 20010: '80' } }, 'does not allow the port 20010'],
      [{ ports: { 20001: 'http' } }, 'ports are numbers'],
    ] as const)
      await expect(run(task(part), context())).rejects.toMatchObject({
        error: { status: 403, detail: expect.stringContaining(message) },
      });
    const alone = await startEngine({ pulled: false, config: { access: config.access } });
    await expect(alone.run(task({ ports: { 20001: '80' } }), context())).rejects.toMatchObject({
      error: { detail: expect.stringContaining('ports need a network') },
    });
    await expect(alone.run(task({ pullPolicy: 'never' }), context())).rejects.toMatchObject({
      error: { detail: expect.stringContaining('No such image') },
    });
    expect(alone.seen.some(({ request }) => request.startsWith('POST /images'))).toBe(false);
  });

  test('stays for a time after its end, and is removed later by any process', async () => {
    const at = Date.parse('2026-01-01T00:10:00Z');
    const finishedAt = '2026-01-01T00:00:00.5Z';
    const ended = new Map([
      ['due', { after: '1000', finishedAt }],
      ['later', { after: '720000', finishedAt }],
      ['foreign', { after: 'x', finishedAt }],
    ]);
    const { seen, run, engine } = await startEngine({}, ended);
    expect(await removeDue(engine, at, AbortSignal.timeout(60_000))).toBe(120_500);
    expect([...ended.keys()]).toEqual(['later', 'foreign']);
    await run(task({ removeAfterMs: 60_000 }), context());
    expect(seen.find(({ request }) => request.startsWith('POST /containers/create'))?.body).toMatchObject({
      Labels: { 'org.trapline.remove-after-ms': '60000' },
    });
    // The task removes old containers when its own container has ended: the other one is due by now.
    await expect.poll(() => ended.has('later')).toBe(false);
    expect(seen.some(({ request }) => request.startsWith('DELETE /containers/c1'))).toBe(false);
  });

  test('is rejected without an engine, and fails if it does not respond', async () => {
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
