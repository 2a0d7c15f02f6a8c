import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';

const sandbox = createSandbox({ threads: 1, timeMs: 2_000, memoryBytes: 16 * 2 ** 20 });
afterAll(() => sandbox.close());

/** The result of a script: its value, or the reason why it has none. */
async function endOf(code: string, timeMs?: number): Promise<unknown> {
  const hostCalls = { echo: async (given: readonly unknown[]) => String(given[0]) };
  const limits = timeMs === undefined ? {} : { limits: { timeMs } };
  return sandbox.run({ code, hostCalls, account: 'one', ...limits }).then(
    ({ output }) => output,
    ({ reason }: { reason?: string }) => reason,
  );
}

describe('the process is not visible', () => {
  test.each([
    'typeof require',
    'typeof module',
    'typeof fetch',
    'typeof WebAssembly',
    'typeof XMLHttpRequest',
    'typeof SharedArrayBuffer === "undefined" || typeof Worker === "undefined" ? "undefined" : "there"',
    'typeof std',
    'typeof os',
    'typeof process.exit',
    'typeof process.binding',
    'typeof process.mainModule',
    'typeof setTimeout',
    'typeof this.constructor.constructor("return this")().require',
    'typeof (await tools.echo.constructor("return globalThis")()).process.versions',
    'typeof (await (async () => {}).constructor("return globalThis")()).Buffer',
    'typeof (function () { return this })().require',
    'typeof console.log.constructor("return process")().kill',
  ])('%s', async (code) => {
    expect(await endOf(code)).toBe('undefined');
  });

  test.each([
    'import("net")',
    'await import("node:child_process")',
    'import os from "os"',
    'import { readdirSync } from "fs"',
    'import { readFileSync } from "fs"; readFileSync("/proc/self/environ")',
    'import("fs").then(({ readFileSync }) => readFileSync("/etc/passwd"))',
    'export default 1',
  ])('%s', async (code) => {
    expect(['error', 'syntax']).toContain(await endOf(code));
  });

  test('a module sees only its input', async () => {
    expect(await endOf('JSON.stringify(Object.keys(await import("fs")))')).toBe('["default","readFileSync"]');
    expect(await endOf('JSON.stringify(Object.keys(await import("process")))')).toBe(
      '["argv","default","env","stdin"]',
    );
    expect(await endOf('(await import("process")).default === process')).toBe(true);
  });

  test('has the given environment', async () => {
    expect(await endOf('JSON.stringify(process.env)')).toBe('{}');
    expect(await endOf('"use strict"; process.env.A = 1')).toBe('error');
  });
});

describe('a script stops at its limits, and the next one is not affected', () => {
  test.each([
    ['while (true) {}', ['time']],
    ['try { while (true) {} } catch { 1 } finally { while (true) {} }', ['time']],
    ['(function again() { Promise.resolve().then(again) })()', ['time']],
    ['const again = async () => { for (;;) await null }; again(); 1', ['time']],
    ['/(a+)+$/.test("a".repeat(40) + "b")', ['time', false]],
    ['"a".repeat(8e6).indexOf("a".repeat(4e6) + "b")', ['time']],
    ['for (;;) await tools.echo("x".repeat(10))', ['calls', 'time']],
    ['({ get a() { while (true) {} } })', ['time']],
    ['({ toJSON() { while (true) {} } })', ['time']],
    ['throw { get message() { while (true) {} } }', ['time']],
    ['throw new Proxy({}, { get() { throw new Error("again") } })', ['error']],
    ['(function deep() { deep() })()', ['stack', 'error']],
    ['(function deep() { try { deep() } catch { deep() } })()', ['stack', 'error', 'time']],
    ['const a = {}; a.toString = () => String(a); String(a)', ['stack', 'error']],
    ['let list = []; for (let i = 0; i < 100000; i++) list = [list]; JSON.stringify(list)', ['stack', 'error', 'time']],
    ['JSON.parse("[".repeat(1000000))', ['stack', 'error', 'syntax']],
    ['eval("(".repeat(1000000))', ['stack', 'error', 'syntax']],
    ['new RegExp("(".repeat(100000) + ")".repeat(100000))', ['stack', 'error', 'syntax']],
    ['const kept = []; for (;;) kept.push(new Array(1000).fill(1))', ['memory', 'time']],
    ['let text = "x"; for (;;) text += text', ['memory', 'error', 'time']],
    ['"x".repeat(2 ** 30)', ['memory', 'error']],
    ['new Uint8Array(2 ** 31 - 1)', ['memory', 'error']],
    ['new Array(2 ** 31).fill(1)', ['memory', 'time']],
    ['"x".repeat(5 * 2 ** 20)', ['size']],
    ['await tools.echo("x".repeat(5 * 2 ** 20))', ['size']],
    ['const all = []; for (let i = 0; i < 100; i++) all.push(tools.echo(i)); await Promise.all(all)', ['calls']],
    ['2n ** (2n ** 30n)', ['memory', 'error', 'time']],
  ] as const)('%s', async (code, ends) => {
    // Timeouts of scripts that are expected to exceed them are short.
    expect(ends).toContain(await endOf(code, ends.some((end) => end === 'time') ? 150 : undefined));
    expect(await endOf('[1, 2].map((n) => n + 1)')).toEqual([2, 3]);
  });
});

describe('changes of a script end with it', () => {
  test('built-in objects', async () => {
    expect(
      await endOf(`
        JSON.stringify = () => '"stolen"'; JSON.parse = () => 'stolen'; Object.prototype.leak = 'leak'; globalThis.leak = 1;
        Array.prototype.map = () => 'stolen'; Promise.prototype.then = undefined; 7`),
    ).toBe(7);
    expect(await endOf('[typeof leak, typeof {}.leak, JSON.stringify([1].map((n) => n))].join()')).toBe(
      'undefined,undefined,[1]',
    );
  });

  test('a value that imitates an internal one is plain JSON', async () => {
    expect(await endOf('({ __proto__: null, ["__proto__"]: { polluted: 1 }, constructor: 2 })')).toMatchObject({
      constructor: 2,
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('limits logs', async () => {
    const { logs } = await sandbox.run({
      code: 'for (let i = 0; i < 200; i++) console.log("x".repeat(10000)); console.log({ toJSON() { throw 1 } }); 1',
      limits: { logLength: 50_000, timeMs: 5_000 },
    });
    expect(logs.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(50_000);
  });
});
