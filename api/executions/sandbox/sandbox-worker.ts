import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import type { FromThread, ToThread } from './messages.ts';
import { runScript, type ScriptRun } from './run-script.ts';

/** One script at a time, each in an instance of the interpreter of its own; the next instance is made while nobody waits. */
const require = createRequire(import.meta.url);
/** Compiled once a thread. The typings of Node lack it. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<object> } };
const compiled = WebAssembly.compile(
  await readFile(
    createRequire(require.resolve('quickjs-emscripten')).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'),
  ),
);
let prepared = instance();
let current: ScriptRun | undefined;

parentPort?.on('message', async (message: ToThread) => {
  if (message.type !== 'run') return current?.answer(message);
  const quickjs = await prepared;
  current = runScript(quickjs, message, tell);
});
parentPort?.postMessage({ type: 'ready' });

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
  if (message.type === 'done' || message.type === 'failed') {
    current = undefined;
    prepared = instance();
  }
}

async function instance(): Promise<QuickJSWASMModule> {
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule: await compiled }));
}
