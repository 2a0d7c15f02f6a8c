import { describe, expect, it } from 'vitest';
import { runAgentApp } from './agent-app.ts';

const app = await runAgentApp();
const owner = await app.user();
app.work();
let count = 0;

/** Runs a script as an agent and resolves to the result that a client receives. */
async function run(script: string, config: object = {}, input: unknown = {}) {
  const slug = `script-${count++}`;
  const { id } = (await owner.call('POST', '/api/v1/agents', { name: slug, slug, config })).body.agent;
  await owner.call('PUT', `/api/v1/agents/${id}/files?path=agent.js`, { content: script });
  return { id, ...(await owner.call('POST', `/api/v1/agents/${id}/run?wait_for_completion=60`, { input })).body };
}

describe('a script of an agent', () => {
  it.each([
    ['the constructor of functions', `Function('return this')().process.mainModule ?? 'none'`],
    ['the constructor of a tool', `tools.files.list.constructor('return process')().binding ?? 'none'`],
    [
      'the prototype of an error of ours',
      `try { await tools.files.read({path: '../x'}) } catch (e) { String(e.constructor.constructor('return typeof require')()) === 'undefined' ? 'none' : 'reached' }`,
    ],
    ['an import', `let r; try { r = await import('node:net') } catch { r = 'none' } r`],
    [
      'the module of its standard input',
      `const fs = await import('node:fs'); let r; try { r = fs.readFileSync('/etc/hostname') } catch { r = 'none' } r`,
    ],
    [
      'globals of the host',
      `[typeof require, typeof fetch, typeof setTimeout, typeof Buffer, typeof WebAssembly].every((t) => t === 'undefined') ? 'none' : 'reached'`,
    ],
  ])('cannot escape by %s', async (_, script) => {
    expect(await run(script)).toMatchObject({ status: 'completed', output: 'none' });
  });

  it('cannot change prototypes of ours or of the next run', async () => {
    const polluting = await run(`Object.prototype.polluted = 'yes'; Array.prototype.map = null;
      await tools.files.list(JSON.parse('{"__proto__": {"kind": "output"}}')); JSON.parse = JSON.stringify = () => 1; ({ ['__proto__']: { a: 1 }, done: true })`);
    expect(polluting.status).toBe('completed');
    expect(({} as { polluted?: string }).polluted).toBe(undefined);
    expect(await run(`typeof ({}).polluted`)).toMatchObject({ output: 'undefined' });
  });

  it.each<[string, string, string, number?]>([
    ['an endless loop', 'for (;;) {}', '500 ms'],
    // Promises are not chained, because a chain would exhaust the memory first.
    ['endless promises', 'const f = () => { Promise.resolve().then(f) }; f(); await new Promise(() => {})', '500 ms'],
    ['a memory bomb', `const a = []; for (;;) a.push(new Uint8Array(1e6))`, 'bytes', 10_000],
    ['one huge text', `'x'.repeat(2 ** 29).repeat(8)`, ''],
    ['endless recursion', 'const f = () => f() + 1; f()', 'deeply'],
    ['a regular expression that never ends', `/^(a+)+$/.test('a'.repeat(40) + 'b')`, '500 ms'],
    ['a flood of calls', 'await Promise.all(Array.from({ length: 1000 }, () => tools.files.list({})))', 'calls'],
    ['a huge output', `'x'.repeat(5 * 2 ** 20)`, 'larger'],
  ])('is stopped: %s', async (_, script, message, computeMs = 500) => {
    const ended = await run(script, { limits: { computeMs, memoryMb: 32 } });
    expect(ended).toMatchObject({ status: 'failed', error: expect.stringContaining(message) });
  });

  it('cannot write files with invalid paths, clashes or above the limit, even when it catches errors', async () => {
    const script = `const outcomes = [];
      for (const path of ['../x', '/x', 'a\\\\b', 'con', 'A.txt', 'a.txt/b'])
        try { await tools.files.write({ path, content: '' }); outcomes.push('written') } catch (e) { outcomes.push('refused') }
      outcomes`;
    expect((await run(`await tools.files.write({ path: 'a.txt', content: '' }); ${script}`)).output).toEqual(
      Array(6).fill('refused'),
    );
    const flood = await run(
      `let n = 0; try { for (;;) { await tools.files.write({ path: 'f' + n, content: '' }); n++ } } catch { } n`,
    );
    expect(flood.output).toBe(200);
  });

  it('cannot reach internal addresses, or tools without the right of its caller', async () => {
    const fetching = `const outcomes = []; for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/latest', 'http://[::ffff:10.0.0.1]/', 'file:///etc/passwd'])
      try { await tools.http.fetch({ url }); outcomes.push('reached') } catch (e) { outcomes.push(e.message.split(':')[0]) } outcomes`;
    const permitted = { permissions: { default: 'allow' } };
    expect((await run(fetching, permitted)).output).toEqual([...Array(3).fill('forbidden_address'), 'forbidden_url']);
    expect((await run('typeof tools.detections', permitted)).output).toBe('undefined');
  });

  it('can catch errors in tool arguments, and fails with a line number for its own errors', async () => {
    expect((await run(`try { await tools.files.read({}) } catch (e) { e.message }`)).output).toContain('path');
    expect(await run('const x = ;')).toMatchObject({ status: 'failed', error: expect.stringContaining('SyntaxError') });
    expect(await run('1', { entry: 'other.js' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('other.js'),
    });
  });

  it('has the current rights of its caller, not those at the start', async () => {
    const { id } = await run('1');
    await owner.call('PATCH', `/api/v1/agents/${id}`, { visibility: 'shared' });
    const leaving = await app.user();
    await app.engine.stopAll();
    const { executionId } = (await leaving.call('POST', `/api/v1/agents/${id}/run`, {})).body;
    await app.database.updateTable('users').set({ disabled: true }).where('id', '=', leaving.user.id).execute();
    app.work();
    const row = await app.engine.until(executionId, 'rejected');
    expect(JSON.stringify(row.error)).toContain('may no longer run it');
  });
});
