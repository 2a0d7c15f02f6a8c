import { afterAll, expect, test } from 'vitest';
import { SandboxFailure, type SandboxScript } from '#api/executions/sandbox/port.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';

const sandbox = createSandbox({ threads: 2, timeMs: 500, memoryBytes: 16 * 2 ** 20 });
afterAll(() => sandbox.close());

const outputOf = async (code: string, more: Partial<SandboxScript> = {}) =>
  (await sandbox.run({ code, account: 'one', ...more })).output;
const failureOf = async (code: string, more: Partial<SandboxScript> = {}): Promise<SandboxFailure> => {
  try {
    await sandbox.run({ code, account: 'one', ...more });
  } catch (error) {
    if (error instanceof SandboxFailure) return error;
    throw error;
  }
  throw new Error('the script did not fail');
};

test('the value of a script is that of its last expression, awaited', async () => {
  expect(await outputOf('1 + 1')).toBe(2);
  expect(await outputOf('const y = await Promise.resolve(4); ({ y: [y, null, "ü"] })')).toEqual({ y: [4, null, 'ü'] });
  expect(await outputOf('Promise.resolve(3)')).toBe(3);
  expect(await outputOf('let x = 1;')).toBeUndefined();
  expect(await outputOf('() => 1')).toBeUndefined();
});

test('with a top-level return, a script is the body of an async function', async () => {
  expect(await outputOf('if (await true) return { a: 1 };\nreturn 2')).toEqual({ a: 1 });
  expect(await outputOf('return 5 // the end')).toBe(5);
});

test('arguments are variables, the environment is process.env, and console output is kept', async () => {
  const { output, logs } = await sandbox.run({
    code: 'console.log("a", {b: 1}, name); console.error(new Error("no")); process.env.MODE + name.length',
    arguments: { name: 'probe' },
    environment: { MODE: 'x' },
  });
  expect(output).toBe('x5');
  expect(logs).toEqual([
    { level: 'info', text: 'a {"b":1} probe' },
    { level: 'error', text: 'Error: no' },
  ]);
});

test('listed arguments and standard input are those of a process', async () => {
  const given = { argv: ['hello', '$HOME'], stdin: 'Grüße\n' };
  expect(await outputOf('process.argv.slice(2).concat(process.stdin.read(), process.stdin.read())', given)).toEqual([
    'hello',
    '$HOME',
    'Grüße\n',
    null,
  ]);
  const iterated = 'let all = ""; for await (const part of process.stdin.setEncoding("utf8")) all += part; all';
  expect(await outputOf(iterated, given)).toBe('Grüße\n');
  expect(await outputOf(iterated)).toBe('');
  const imported = `const { readFileSync } = await import('node:fs'); readFileSync(process.stdin.fd, 'utf8')`;
  expect(await outputOf(imported, given)).toBe('Grüße\n');
});

test('a script with an import is a module, which reads only its standard input', async () => {
  const { output, logs } = await sandbox.run({
    code: `import { readFileSync } from 'node:fs';
      import { argv } from 'process';
      const text = await Promise.resolve(readFileSync(process.stdin.fd, 'utf8'));
      console.log('stdin >', text, argv[2]);`,
    account: 'one',
    argv: ['hello'],
    stdin: 'Hello Workflow',
  });
  expect(output).toBeUndefined();
  expect(logs).toEqual([{ level: 'info', text: 'stdin > Hello Workflow hello' }]);
  expect(await outputOf(`import fs from 'fs';\nexport default fs.readFileSync('/dev/stdin')`, { stdin: 'x' })).toBe(
    'x',
  );
  expect(await failureOf(`import { readFileSync } from 'fs'; readFileSync('/etc/passwd')`)).toMatchObject({
    reason: 'error',
    message: expect.stringContaining('reads no files but its standard input'),
  });
  expect(await failureOf(`import net from 'node:net'; net`)).toMatchObject({
    message: expect.stringContaining('a script imports only fs and process, not node:net'),
  });
});

test('rejects invalid names', async () => {
  expect(await failureOf('1', { arguments: { 'a-b': 1 } })).toMatchObject({ reason: 'syntax' });
  expect(await failureOf('1', { arguments: { tools: 1 } })).toMatchObject({ reason: 'syntax' });
});

test('host calls are async functions under tools; their rejections are thrown', async () => {
  const logged: string[] = [];
  const hostCalls = {
    add: async (given: readonly unknown[]) => Number(given[0]) + Number(given[1]),
    'files.read': async () => ({ text: 'x' }),
    refuse: async () => Promise.reject(new Error('not allowed')),
    nothing: async () => undefined,
  };
  const code = `
    const many = await Promise.all([1, 2, 3].map((n) => tools.add(n, n)));
    let refused;
    try { await tools.refuse() } catch (error) { refused = error.message }
    console.log('half');
    return { many, refused, text: (await tools.files.read()).text, nothing: String(await tools.nothing()) };`;
  expect(await outputOf(code, { hostCalls, onLog: ({ text }) => logged.push(text) })).toEqual({
    many: [2, 4, 6],
    refused: 'not allowed',
    text: 'x',
    nothing: 'undefined',
  });
  expect(logged).toEqual(['half']);
});

test('the time of host calls does not count for the script', async () => {
  const slow = async () => new Promise<number>((resolve) => setTimeout(() => resolve(7), 700));
  expect(await outputOf('await tools.slow()', { hostCalls: { slow } })).toBe(7);
  expect(await failureOf('await tools.slow()', { hostCalls: { slow }, limits: { wallMs: 50 } })).toMatchObject({
    reason: 'time',
  });
});

test('errors have message and position, and keep the log', async () => {
  expect(await failureOf('console.log("before");\nthrow new TypeError("wrong")')).toMatchObject({
    reason: 'error',
    message: 'TypeError: wrong (line 2)',
    logs: [{ level: 'info', text: 'before' }],
  });
  expect(await failureOf('let = ;')).toMatchObject({ reason: 'syntax' });
  expect(await failureOf('return (')).toMatchObject({ reason: 'syntax' });
  expect(await failureOf('await new Promise(() => {})')).toMatchObject({ reason: 'stuck' });
  expect(await failureOf('throw 5')).toMatchObject({ reason: 'error' });
  expect(await failureOf('const a = {}; a.a = a; a')).toMatchObject({ reason: 'error' });
});

test('an abort stops a computing, a waiting and a queued script', async () => {
  const alone = createSandbox({ threads: 1, timeMs: 60_000 });
  const computing = new AbortController();
  const queued = new AbortController();
  const hostCalls = { begun: async () => setImmediate(() => computing.abort()) && null };
  const first = alone.run({ code: 'tools.begun(); while (true) {}', hostCalls }, computing.signal);
  const second = alone.run({ code: '1' }, queued.signal);
  const third = alone.run({ code: '3' });
  queued.abort();
  await expect(second).rejects.toMatchObject({ reason: 'aborted' });
  await expect(first).rejects.toMatchObject({ reason: 'aborted' });
  expect((await third).output).toBe(3);
  let aborted = false;
  const waiting = new AbortController();
  const wait = async (_: readonly unknown[], signal: AbortSignal) =>
    new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        resolve(null);
      });
      waiting.abort();
    });
  await expect(alone.run({ code: 'await tools.wait()', hostCalls: { wait } }, waiting.signal)).rejects.toMatchObject({
    reason: 'aborted',
  });
  expect(aborted).toBe(true);
  expect(alone.pending()).toBe(0);
  await alone.close();
  await expect(alone.run({ code: '1' })).rejects.toMatchObject({ reason: 'aborted' });
});

test('rejects scripts beyond the queue immediately', async () => {
  const small = createSandbox({ threads: 1, maxQueued: 1 });
  const runs = [1, 2, 3].map((n) => small.run({ code: String(n) }));
  await expect(runs[2]).rejects.toMatchObject({ reason: 'busy' });
  expect((await Promise.all(runs.slice(0, 2))).map(({ output }) => output)).toEqual([1, 2]);
  await small.close();
});

test('waiting scripts of one account do not delay a script of another', async () => {
  const shared = createSandbox({ threads: 2, memoryBytes: 2 ** 20, totalMemoryBytes: 2 ** 22 });
  const ends = new AbortController();
  const wait = (_input: unknown, signal: AbortSignal) =>
    new Promise<null>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
  const flood = Array.from({ length: 6 }, (_, at) =>
    // The first takes all the memory that scripts share.
    shared.run(
      {
        code: 'await tools.wait()',
        account: 'one',
        hostCalls: { wait },
        limits: at === 0 ? { memoryBytes: 2 ** 22 } : {},
      },
      ends.signal,
    ),
  );
  expect((await shared.run({ code: '1 + 1', account: 'two' })).output).toBe(2);
  expect(shared.pending()).toBe(6);
  ends.abort();
  for (const { status } of await Promise.allSettled(flood)) expect(status).toBe('rejected');
  await shared.close();
});
