import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';

const MODULE = import.meta.resolve('#deploy/processes/run-until-stopped.ts');
const PROGRAM = `
  import { runUntilStopped } from ${JSON.stringify(MODULE)};
  const log = { debug() {}, info() {}, error() {}, fatal() {} };
  await runUntilStopped(log, async () => {
    process.send('running');
    setInterval(() => {}, 1000);
  });
`;

test('stores compiled code before the process serves, so that a killed process finds it the next time', () =>
  temporaryFolder('compiled', async (folder) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      env: { NODE_COMPILE_CACHE: folder },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [ofThisNode = ''] = await readdir(folder);
    // The cache holds the program, its imports, and their code with types stripped.
    expect((await readdir(`${folder}/${ofThisNode}`)).length).toBeGreaterThan(2);
  }));

/**
 * Reads beyond the memory of a WebAssembly module: `(module (memory 1) (func (export "read") (param i32) (result i32)
 * (i32.load (local.get 0))))`.
 */
const OUT_OF_BOUNDS = `
  const bytes = [0,97,115,109,1,0,0,0,1,6,1,96,1,127,1,127,3,2,1,0,5,3,1,0,1,7,8,1,4,114,101,97,100,0,0,10,9,1,7,0,32,0,40,2,0,11];
  const { read } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports;
  const here = () => { try { read(0x7fffff00); return 'no error'; } catch (error) { return String(error); } };
`;
const FAULT_SIGNALS = { SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGSEGV: 11 };

/**
 * Runs a program with this body. Resolves to its signal handlers and to the error of a WebAssembly fault on its main
 * thread and on a worker thread.
 */
async function faultsOf(start: string): Promise<{ caught: string[]; main: string; thread: string }> {
  const program = `
    import { readFileSync } from 'node:fs';
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    ${OUT_OF_BOUNDS}
    ${start}
    async function report() {
      const worker = new Worker(${JSON.stringify(`${OUT_OF_BOUNDS} process.getBuiltinModule('node:worker_threads').parentPort.postMessage(here());`)}, { eval: true });
      const [thread] = await once(worker, 'message');
      const mask = BigInt('0x' + /SigCgt:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
      const caught = Object.entries(${JSON.stringify(FAULT_SIGNALS)}).filter(([, n]) => (mask >> BigInt(n - 1)) & 1n).map(([name]) => name);
      process.send({ caught, listened: process.eventNames().map(String), main: here(), thread }, () => process.kill(process.pid, 'SIGKILL'));
    }
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process ended')));
  ended.catch(() => {});
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [Awaited<ReturnType<typeof faultsOf>>];
  return report;
}

test('only Node handles fault signals, so that a fault in WebAssembly is an error and not the end', async () => {
  const bare = await faultsOf('await report();');
  const ours = await faultsOf(`
    const { runUntilStopped } = await import(${JSON.stringify(MODULE)});
    const log = { debug() {}, info() {}, error() {}, fatal() {} };
    await runUntilStopped(log, async () => { setInterval(() => {}, 1000); void report(); });
  `);
  expect(bare.main).toContain('RuntimeError: memory access out of bounds');
  expect(ours).toMatchObject({ caught: bare.caught, main: bare.main, thread: bare.main });
  for (const signal of Object.keys(FAULT_SIGNALS))
    expect(ours).not.toMatchObject({ listened: expect.arrayContaining([signal]) });
});

test('rejects a listener for a fault signal while the process runs', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
      import { runUntilStopped } from ${JSON.stringify(MODULE)};
      const log = { debug() {}, info() {}, error() {}, fatal() {} };
      await runUntilStopped(log, async () => {
        try { process.on('SIGSEGV', () => {}); } catch (error) { process.send(error.message); }
        setInterval(() => {}, 1000);
      });`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const [message] = await once(child, 'message');
  child.kill('SIGKILL');
  expect(message).toContain('A listener for SIGSEGV would disable the WebAssembly trap handler');
});
