import { afterAll, expect, test, vi } from 'vitest';
import type { SandboxFailure } from '#api/executions/sandbox/port.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';

/**
 * Regression: a script that kept buffers or long strings made its process use 2 GB, because the limit of the
 * interpreter counts 8 bytes for an allocation of any size. The failure was reported as `stuck` or `Error: thrown`, and
 * the script could catch it.
 */
const LIMIT_BYTES = 32 * 2 ** 20;
const sandbox = createSandbox({ threads: 1, timeMs: 20_000, memoryBytes: LIMIT_BYTES });
afterAll(() => sandbox.close());

const run = (code: string, argument = '') =>
  sandbox.run({
    code,
    account: 'one',
    arguments: { argument },
    hostCalls: { nothing: async () => null, large: async () => 'x'.repeat(LIMIT_BYTES) },
  });
const MEMORY = { reason: 'memory', message: `the script needs more than ${LIMIT_BYTES} bytes` };

test.each([
  ['buffers', 'const kept = []; for (;;) kept.push(new ArrayBuffer(1e6))'],
  ['small buffers', 'const kept = []; for (;;) kept.push(new ArrayBuffer(1e4))'],
  ['strings', 'const kept = []; for (;;) kept.push("x".repeat(1e5) + kept.length)'],
  ['arrays', 'const kept = []; for (;;) kept.push(new Array(1e4).fill(1))'],
  ['a map', 'const kept = new Map(); for (let i = 0; ; i++) kept.set(i, i)'],
  ['buffers, caught', 'let kept = []; try { for (;;) kept.push(new ArrayBuffer(1e6)) } catch { kept = [] } 7'],
  [
    'buffers, caught before a call',
    'let kept = []; try { for (;;) kept.push(new ArrayBuffer(1e6)) } catch { kept = []; await tools.nothing() } 7',
  ],
  ['buffers, in a promise', 'await (async () => { const kept = []; for (;;) kept.push(new ArrayBuffer(1e6)) })()'],
  ['the answer of a call', 'await tools.large(); 7'],
])('stops a script that fills its memory: %s', async (_, code) => {
  await expect(run(code)).rejects.toMatchObject(MEMORY);
  expect((await run('1 + 1')).output).toBe(2);
});

test('stops a script whose arguments need more memory than permitted', async () => {
  await expect(run('7', 'x'.repeat(LIMIT_BYTES))).rejects.toMatchObject(MEMORY);
  expect((await run('argument.length', 'xyz')).output).toBe(3);
});

test('runs scripts concurrently if their limits fit into the total memory, and a larger one alone', async () => {
  const small = createSandbox({ threads: 4, memoryBytes: 2 ** 20, totalMemoryBytes: 2 ** 21 });
  let running = 0;
  const seen: number[] = [];
  const pause = async () => {
    seen.push(++running);
    // The first waits for the second on any machine. A third would then have time to begin.
    await vi.waitFor(() => expect(Math.max(...seen)).toBeGreaterThan(1), { timeout: 120_000 });
    for (let turn = 0; turn < 200 && running < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    running--;
    return null;
  };
  const start = (limits: object = {}) =>
    small.run({ code: 'await tools.pause(); 7', account: 'one', hostCalls: { pause }, limits });
  try {
    const runs = [start(), start(), start(), start({ memoryBytes: 2 ** 25 }), start()];
    expect((await Promise.all(runs)).map(({ output }) => output)).toEqual([7, 7, 7, 7, 7]);
    expect(Math.max(...seen)).toBe(2);
    expect(small.pending()).toBe(0);
  } finally {
    await small.close();
  }
});

test('lets a script keep nearly as much as its limit, and no more', async () => {
  const count = 'const kept = []; for (;;) { kept.push(new ArrayBuffer(1e6)); console.log(kept.length) }';
  const { logs } = await run(count).then(
    () => expect.fail('the script did not end'),
    (error: SandboxFailure) => error,
  );
  const keptBytes = Number(logs.at(-1)?.text) * 1e6;
  expect(keptBytes).toBeGreaterThan(LIMIT_BYTES * 0.75);
  expect(keptBytes).toBeLessThanOrEqual(LIMIT_BYTES);
});
