import { afterAll, describe, expect, test } from 'vitest';
import type { JsonValue } from '#api/executions/json-value.ts';
import { type HostCall, SandboxFailure } from '#api/executions/sandbox/port.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';

/*
 * Answers were once matched by call numbers that start at 1 in every run. A script that left a call un-awaited had its answer delivered to the
 * next script of the thread, which could be of another account, or had that script ended by the watchdog.
 */

// One thread, so that every script follows another one in it.
const sandbox = createSandbox({ threads: 1, timeMs: 500 });
afterAll(() => sandbox.close());

/** A host call that the test completes by hand. */
function heldCall() {
  const held: {
    readonly given: JsonValue;
    readonly signal: AbortSignal;
    readonly finish: (value: JsonValue) => void;
  }[] = [];
  const call: HostCall = ([given = null], signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    held.push({ given, signal, finish: resolve });
    return promise;
  };
  return { held, call };
}
const echo: HostCall = async ([given = null]) => given;
const failureOf = async (running: Promise<unknown>): Promise<SandboxFailure> => {
  const error = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof SandboxFailure) return error;
  throw new Error('the script did not fail', { cause: error });
};

describe('a call that is not awaited', () => {
  test('completes before the result is reported', async () => {
    const { held, call } = heldCall();
    let reported = false;
    const running = sandbox.run({ code: 'tools.write("a"); 7', hostCalls: { write: call } });
    void running.then(() => {
      reported = true;
    });
    await expect.poll(() => held.length).toBe(1);
    // The next script waits: the thread still belongs to this one.
    const next = sandbox.run({ code: 'await tools.echo("mine")', hostCalls: { echo } });
    expect(sandbox.pending()).toBe(2);
    expect(reported).toBe(false);
    held[0]?.finish('of the first');
    expect((await running).output).toBe(7);
    expect((await next).output).toBe('mine');
  });

  test('that fails after the end is visible in the log', async () => {
    const refuse: HostCall = () => Promise.reject(new Error('over the quota'));
    const { output, logs } = await sandbox.run({ code: 'tools.write("a"); 7', hostCalls: { write: refuse } });
    expect(output).toBe(7);
    expect(logs).toEqual([{ level: 'warn', text: 'not awaited: write: over the quota' }]);
  });

  test('issued in the last microtask is executed as well', async () => {
    const { held, call } = heldCall();
    const running = sandbox.run({
      code: 'Promise.resolve().then(() => Promise.resolve()).then(() => tools.write("late")); await 1',
      hostCalls: { write: call },
    });
    await expect.poll(() => held.length).toBe(1);
    held[0]?.finish(null);
    expect((await running).output).toBe(1);
  });

  test('is aborted when the wall time is over, and the failure is reported', async () => {
    const { held, call } = heldCall();
    const failure = await failureOf(
      sandbox.run({ code: 'tools.write("a"); 7', hostCalls: { write: call }, limits: { wallMs: 1_500 } }),
    );
    expect(failure).toMatchObject({ reason: 'time' });
    expect(held[0]?.signal.aborted).toBe(true);
  });
});

describe('a run that ends with calls in flight', () => {
  test.each([
    ['by an error', 'tools.write("a"); throw new Error("no")', 'error'],
    ['by its time', 'tools.write("a"); for (;;);', 'time'],
    ['by its memory', 'tools.write("a"); "x".repeat(2 ** 29)', 'memory'],
    ['by too many calls', 'for (let i = 0; i < 100; i++) tools.write(i); await new Promise(() => {})', 'calls'],
  ])('%s: they are aborted, and the next script gets its own answers', async (_, code, reason) => {
    const { held, call } = heldCall();
    const failure = await failureOf(sandbox.run({ code, hostCalls: { write: call } }));
    expect(failure.reason).toBe(reason);
    expect(held.length).toBeGreaterThan(0);
    expect(held.every(({ signal }) => signal.aborted)).toBe(true);
    for (const { finish } of held) finish('of the failed one');
    const { output } = await sandbox.run({ code: 'await tools.write("mine")', hostCalls: { write: echo } });
    expect(output).toBe('mine');
  });

  test('a call that ignores its abort keeps neither the report nor the thread', async () => {
    let finish: (value: JsonValue) => void = () => {};
    const deaf: HostCall = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    expect(
      await failureOf(sandbox.run({ code: 'tools.write("a"); throw new Error("no")', hostCalls: { write: deaf } })),
    ).toMatchObject({ reason: 'error' });
    const { held, call } = heldCall();
    const next = sandbox.run({ code: 'await tools.read()', hostCalls: { read: call } });
    await expect.poll(() => held.length).toBe(1);
    finish('of the failed one'); // has the number of the call that the next script waits for
    held[0]?.finish('mine');
    expect((await next).output).toBe('mine');
  });
});

test('two accounts in turn: no answer, log line or value crosses, whatever is left un-awaited', async () => {
  const script = (marker: string) => {
    const slow: HostCall = async ([given = null]) => {
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      return `${marker}:${String(given)}`;
    };
    return sandbox.run({
      code: `
        for (let i = 0; i < 8; i++) tools.slow('left ' + i).then((text) => console.log(text));
        globalThis.kept = (globalThis.kept ?? []).concat('${marker}');
        [await tools.slow('a'), await tools.slow('b'), globalThis.kept]`,
      hostCalls: { slow },
    });
  };
  const markers = Array.from({ length: 100 }, (_, i) => `${i % 2 === 0 ? 'ann' : 'bob'}-${i}`);
  const results = await Promise.all(markers.map(script));
  for (const [i, { output, logs }] of results.entries()) {
    const marker = markers[i] as string;
    expect(output).toEqual([`${marker}:a`, `${marker}:b`, [marker]]);
    for (const { text } of logs) expect(text).toContain(`${marker}:`);
  }
});
