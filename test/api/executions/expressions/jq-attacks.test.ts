import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import type { JqReply, JqRequest, JqWorkerData } from '#api/executions/expressions/jq-worker.ts';

const { evaluate, close } = createExpressions({
  threads: 1,
  timeLimitMs: 400,
  memoryBytes: 64 * 1024 * 1024,
  maxOutputChars: 100_000,
});
afterAll(close);

describe('an expression beyond its limits fails without affecting others', () => {
  it.each([
    ['reduce range(100000) as $i ([]; . + [range(1000)])', /too much memory|takes longer/],
    ['reduce range(100000) as $i ({}; .["\\($i)"] = [range(100)])', /too much memory|takes longer/],
    ['reduce range(100000) as $n (null; [.])', /recurses too deeply|too much memory|takes longer/],
    ['range(1e9)', /larger than|takes longer/],
    ['"x" * 1e9', /too much memory/],
    ['"x" * 5e6', /larger than|takes longer/],
    ['def f: f; f', /takes longer/],
    ['def f: 1 + f; f', /too much memory|takes longer/],
    ['def f: [f]; f', /too much memory|takes longer/],
    ['"a" * 100000 | test("(a+)+$b")', /Regex failure|takes longer/],
    ['[limit(200000; repeat([]))] | tojson | . * 1000 | fromjson', /too much memory|takes longer/],
    ['"QUJD" * 1e6 | @base64d', /larger than|takes longer/],
    ['input', /one input only/],
    ['error("x" * 1e6)', /^x{500}$/],
  ])('%s', async (expression, detail) => {
    await expect(evaluate(expression, 1, {}, 'attacker')).rejects.toMatchObject({
      name: 'ExpressionError',
      message: expect.stringMatching(detail) as unknown,
    });
    expect(await evaluate('. + 1', 1, {}, 'other')).toBe(2);
  });
});

describe('the process is not visible', () => {
  it.each([
    ['env', {}],
    ['$ENV', {}],
    ['env | keys', []],
    ['env.PATH', null],
    ['$ENV | getpath(["HOME"])', null],
    ['"\\(env)"', '{}'],
    ['input_filename', null],
    ['get_search_list', []],
    ['input_line_number', 0],
    ['$__loc__.file', '<top-level>'],
    // Closes the parentheses around the expression, so that the rest is outside of them.
    ['1) | ($ENV', {}],
    ['1) | (env', {}],
  ])('%s', async (expression, expected) => {
    expect(await evaluate(expression, null, {}, 'attacker')).toEqual(expected);
  });

  it.each(['"in" | modulemeta', '"/in" | modulemeta', 'include "in"; 1', 'import "/in" as $in; $in', '$__prog_args'])(
    '%s reads no file',
    async (expression) => {
      await expect(evaluate(expression, null, {}, 'attacker')).rejects.toMatchObject({ name: 'ExpressionError' });
    },
  );
});

/**
 * The pool thread. It also reports whether the memory of the last started instance, or of any instance, contains a
 * text.
 */
const THREAD = `
  import { workerData } from 'node:worker_threads';
  const memories = [];
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, given) {
      const instance = Reflect.construct(target, given);
      memories.push(Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory));
      return instance;
    },
  });
  workerData.port.on('message', (text) => {
    const holds = (memory) => Buffer.from(memory.buffer).includes(text);
    workerData.port.postMessage({ last: holds(memories.at(-1)), any: memories.some(holds), instances: memories.length });
    memories.splice(0, memories.length - 2);
  });
  await import(${JSON.stringify(import.meta.resolve('#api/executions/expressions/jq-worker.ts'))});
`;

it('an instance that served one account serves no other, because its memory keeps data', async () => {
  const { port1: memories, port2: port } = new MessageChannel();
  const limits: JqWorkerData = { memoryBytes: 64 * 1024 * 1024, maxOutputChars: 1_000 };
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
    workerData: { ...limits, port },
    transferList: [port],
  });
  let id = 0;
  const run = async (account: string | undefined, document: string): Promise<JqReply> => {
    worker.postMessage({ id: ++id, account, program: '.', document: JSON.stringify(document) } satisfies JqRequest);
    const [reply] = (await once(worker, 'message')) as [JqReply];
    return reply;
  };
  const find = async (text: string) => {
    memories.postMessage(text);
    return (await once(memories, 'message'))[0] as { last: boolean; any: boolean; instances: number };
  };
  try {
    expect(await once(worker, 'message')).toEqual([{ ready: true }]);
    for (let round = 0; round < 20; round++) {
      for (const [account, other] of [
        ['one', 'two'],
        ['two', 'one'],
      ] as const) {
        const marker = `marker-${account}-${round}`;
        expect(await run(account, marker)).toEqual({ id, value: `"${marker}"\n` });
        expect(await find(marker)).toMatchObject({ last: true });
        expect(await find(`marker-${other}-`)).toMatchObject({ last: false });
      }
    }
    // The same account continues in its instance. Without an account, every program gets a new instance.
    const { instances } = await find('');
    await run('two', 'again');
    expect((await find('')).instances).toBe(Math.min(instances, 2));
    await run(undefined, 'marker-alone');
    expect(await find('marker-alone')).toMatchObject({ last: false, any: true });
  } finally {
    memories.close();
    await worker.terminate();
  }
});
