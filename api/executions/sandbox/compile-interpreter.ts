import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The typings of Node lack `WebAssembly`. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<object> } };
let compiled: Promise<object> | undefined;

/**
 * Compiles QuickJS to a WebAssembly module, once for all threads of the process. The module contains only code, no
 * state.
 */
export function compileInterpreter(): Promise<object> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<object> {
  const quickjs = createRequire(require.resolve('quickjs-emscripten'));
  return WebAssembly.compile(await readFile(quickjs.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
}
