import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import type { FromThread, ThreadReport, ToThread } from './messages.ts';
import { runScript, type ScriptRun } from './run-script.ts';

/** Runs one script at a time, each in its own instance of the interpreter. The next instance is created ahead of its run. */
const require = createRequire(import.meta.url);
/** Compiled once a thread. The typings of Node lack it. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<object> } };
const compiled = WebAssembly.compile(
  await readFile(
    createRequire(require.resolve('quickjs-emscripten')).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'),
  ),
);
let prepared = instance();
interface StartedRun {
  readonly run: number;
  script?: ScriptRun;
}
/** Set from the start of a run to its end. */
let current: StartedRun | undefined;

parentPort?.on('message', async (message: ToThread) => {
  if (message.type !== 'run') {
    if (current?.run === message.run) current.script?.answer(message);
    return;
  }
  // The process ends this thread and reports the error: a run must never share a thread with another one.
  if (current !== undefined) throw new Error(`run ${message.run} was sent before the end of run ${current.run}`);
  const started: StartedRun = { run: message.run };
  current = started;
  const quickjs = await prepared;
  started.script = runScript(quickjs, message, (report) => send(message.run, report));
});
parentPort?.postMessage({ type: 'ready' });

function send(run: number, report: ThreadReport): void {
  // Each run has an interpreter and a memory of its own. The instance of an ended run is dropped.
  if (report.type === 'done' || report.type === 'failed') {
    current = undefined;
    prepared = instance();
  }
  parentPort?.postMessage({ ...report, run } satisfies FromThread);
}

async function instance(): Promise<QuickJSWASMModule> {
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule: await compiled }));
}
