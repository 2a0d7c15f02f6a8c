import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { compileInterpreter } from '#api/executions/sandbox/compile-interpreter.ts';
import type { FromThread, ToThread } from '#api/executions/sandbox/messages.ts';
import type { HostCalls, SandboxScript } from '#api/executions/sandbox/port.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';

const sandbox = createSandbox({ threads: 1, timeMs: 1_000, memoryBytes: 16 * 2 ** 20 });
afterAll(() => sandbox.close());

const run = (code: string, hostCalls: HostCalls = {}, more: Partial<SandboxScript> = {}) =>
  sandbox.run({ code, hostCalls, account: 'one', ...more });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('calls that a script does not await', () => {
  test('complete before the run is reported', async () => {
    const events: string[] = [];
    const release = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const ended = run('tools.write("a"); Promise.resolve().then(() => tools.write("b")); 7', {
      async write([name]) {
        if (name === 'b') begun.resolve();
        await release.promise;
        events.push(`written ${String(name)}`);
        return null;
      },
    }).then(({ output }) => events.push(`reported ${String(output)}`));
    await begun.promise;
    // The calls do not block the thread: all its messages have arrived by now.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(events).toEqual([]);
    release.resolve();
    await ended;
    expect(events).toEqual(['written a', 'written b', 'reported 7']);
  });

  test.each([
    ['in flight when the script ends', 'tools.write(); 7', 50],
    ['refused while the script goes on', 'tools.write(); for (let i = 0; i < 50; i++) await tools.echo(i); 7', 0],
  ])('are logged when they fail: %s', async (_, code, turns) => {
    const lines: string[] = [];
    const { output, logs } = await run(
      code,
      {
        async write() {
          for (let turn = 0; turn < turns; turn++) await nextTurn();
          throw new Error('no space left');
        },
        echo: async ([value]) => value,
      },
      { onLog: ({ level, text }) => lines.push(`${level} ${text}`) },
    );
    expect(output).toBe(7);
    expect(lines).toEqual(['error tools.write, which the script did not await, failed: no space left']);
    expect(logs).toEqual([{ level: 'error', text: lines[0]?.slice('error '.length) }]);
  });

  test.each([
    'try { await tools.write() } catch {} 7',
    'await tools.write().catch(() => 7)',
    'const [{ status }] = await Promise.allSettled([tools.write()]); status === "rejected" ? 7 : 0',
    'const pending = tools.write(); await tools.echo(1); pending.then(() => {}, () => {}); 7',
  ])('are logged unlike awaited ones: %s', async (code) => {
    const write = () => Promise.reject(new Error('no space left'));
    expect(await run(code, { write, echo: async ([value]) => value })).toEqual({ output: 7, logs: [] });
  });

  test.each([
    ['its time', 'while (true) {}', 'time'],
    ['its memory', 'const kept = []; for (;;) kept.push(new Array(1000).fill(1))', 'memory'],
    ['an error', 'throw new Error("mine")', 'error'],
    ['too many calls', 'for (;;) tools.slow()', 'calls'],
    ['its value', '"x".repeat(5 * 2 ** 20)', 'size'],
  ])('are aborted and have ended when the script ends by %s', async (_, code, reason) => {
    const inFlight = new Set<AbortSignal>();
    const slow = (_given: readonly unknown[], signal: AbortSignal) => {
      inFlight.add(signal);
      return new Promise<null>((_resolve, reject) => {
        signal.addEventListener('abort', async () => {
          for (let turn = 0; turn < 5; turn++) await nextTurn();
          inFlight.delete(signal);
          reject(new Error('aborted'));
        });
      });
    };
    await expect(run(`tools.slow(); ${code}`, { slow })).rejects.toMatchObject({
      reason: reason === 'memory' ? (expect.stringMatching(/memory|time/) as unknown) : reason,
    });
    expect(inFlight.size).toBe(0);
    expect((await run('1 + 1')).output).toBe(2);
  });
});

test('responses of one account never reach a script of another one', async () => {
  const leaves = (marker: string) => `
    tools.late(${JSON.stringify(marker)}); tools.late(${JSON.stringify(marker)}).then((value) => console.log(value));
    [await tools.echo(${JSON.stringify(marker)}), typeof before, globalThis.before = ${JSON.stringify(marker)}].join()`;
  const hostCalls = (account: string): HostCalls => ({
    echo: async ([value]) => `${account}:${String(value)}`,
    // Responses arrive while the next script runs, if at all.
    async late([value]) {
      for (let turn = 0; turn < Number(String(value).slice(-1)); turn++) await nextTurn();
      return `${account}:${String(value)}`;
    },
  });
  for (let round = 0; round < 40; round++) {
    for (const account of ['one', 'two']) {
      const marker = `${account}-${round}`;
      const { output, logs } = await sandbox.run({ code: leaves(marker), account, hostCalls: hostCalls(account) });
      expect(output).toBe(`${account}:${marker},undefined,${marker}`);
      for (const { text } of logs) expect(text).toBe(`${account}:${marker}`);
    }
  }
});

test('scripts that leave no state share a thread only within their account', async () => {
  const two = createSandbox({ threads: 2 });
  const hostCalls: HostCalls = { echo: async ([value]) => value };
  await Promise.all(
    ['one', 'two'].map(async (account) => {
      for (let round = 0; round < 200; round++) {
        const marker = `${account}-${round}`;
        const code = `[typeof before, globalThis.before = await tools.echo("${marker}")].join()`;
        expect(await two.run({ code, account, hostCalls })).toEqual({ output: `undefined,${marker}`, logs: [] });
      }
    }),
  );
  await two.close();
});

test('changes of built-in objects by a script do not affect the calls of the next one', async () => {
  const hostCalls: HostCalls = { echo: async ([value]) => value };
  const pollute = `
    const stolen = [];
    const wrap = (of, name) => { const kept = of[name]; of[name] = function (...given) { stolen.push(name); return kept.apply(this, given); }; };
    wrap(JSON, 'parse'); wrap(JSON, 'stringify'); wrap(Promise.prototype, 'then'); wrap(Function.prototype, 'apply'); wrap(Reflect, 'apply');
    wrap(Object, 'defineProperty'); wrap(Array.prototype, 'push');
    Object.prototype.number = 1; Object.prototype.call = 2; Array.prototype[0] = 'polluted';
    const echoed = await tools.echo('mine');
    ({ echoed, found: [JSON.parse, JSON.stringify].map(String).join().includes('native') })`;
  expect((await run(pollute, hostCalls)).output).toMatchObject({ echoed: 'mine' });
  expect((await run('[await tools.echo("next"), typeof {}.number, [].length].join()', hostCalls)).output).toBe(
    'next,undefined,0',
  );
});

/** The thread alone, without its counterpart in the process. */
test('a thread ignores responses to another run, and to calls that were not made', async () => {
  const worker = new Worker(new URL(import.meta.resolve('#api/executions/sandbox/sandbox-worker.ts')));
  const limits = {
    timeMs: 5_000,
    wallMs: 60_000,
    memoryBytes: 2 ** 24,
    valueLength: 1e6,
    logLength: 1e6,
    hostCalls: 10,
  };
  const post = (message: ToThread) => worker.postMessage(message);
  const until = async (type: FromThread['type']) => {
    for (;;) {
      const [message] = (await once(worker, 'message')) as [FromThread];
      if (message.type === type) return message;
    }
  };
  const start = (id: string, code: string) =>
    post({
      type: 'run',
      run: id,
      code,
      argumentsJson: '{}',
      environmentJson: '{}',
      inputJson: '{}',
      hostCalls: ['read'],
      limits,
    });
  try {
    post({ type: 'module', module: await compileInterpreter() });
    start('first', 'tools.read(); 1');
    expect(await until('done')).toMatchObject({ run: 'first', clean: false });
    start('second', 'const read = await tools.read(); read');
    expect(await until('waiting')).toMatchObject({ run: 'second' });
    post({ type: 'answer', run: 'first', call: 1, json: '"of the first"' });
    post({ type: 'refusal', run: 'first', call: 1, message: 'of the first' });
    for (const call of [0, 2, -1, Number.NaN]) post({ type: 'answer', run: 'second', call, json: '"guessed"' });
    post({ type: 'answer', run: 'second', call: 1, json: '"of the second"' });
    expect(await until('done')).toMatchObject({ run: 'second', json: '"of the second"', clean: true });
    // A response after the end must not affect the next run.
    post({ type: 'answer', run: 'second', call: 1, json: '"late"' });
    start('third', 'tools.read.length');
    expect(await until('done')).toMatchObject({ run: 'third', json: '0' });
  } finally {
    await worker.terminate();
  }
});
