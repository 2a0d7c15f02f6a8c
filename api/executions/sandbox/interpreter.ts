import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import { limitMemory, WASM_PAGE_BYTES, type WasmMemory } from '#api/threads/bounded-memory.ts';

/** One WebAssembly instance of QuickJS, for one script. */
export interface Interpreter {
  readonly quickjs: QuickJSWASMModule;
  /**
   * Limits the heap. Call it once, before the script runs. At least 10 MiB apply, because the initial memory cannot
   * shrink.
   */
  limitHeap(bytes: number): void;
  /** True if an allocation has failed. The state of the interpreter is then undefined. */
  exhausted(): boolean;
  /** True if its memory has grown since its start. */
  grown(): boolean;
}

/** Initial memory that the binary requires: 5 MiB of stack and data, the rest is heap. */
const INITIAL_BYTES = 16 * 2 ** 20;
const STACK_AND_DATA_BYTES = 5.25 * 2 ** 20;
/** Maximum built into the binary. */
const MAX_BYTES = 2 ** 31;

const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory };
};

/**
 * Starts an instance. The memory limit of QuickJS (`setMemoryLimit`) is not used: it counts 8 bytes per allocation of
 * any size, because `malloc_usable_size` is 0 in WebAssembly. The memory of the instance is limited instead.
 */
export async function startInterpreter(wasmModule: object): Promise<Interpreter> {
  const wasmMemory = new WebAssembly.Memory({
    initial: INITIAL_BYTES / WASM_PAGE_BYTES,
    maximum: MAX_BYTES / WASM_PAGE_BYTES,
  });
  let maxBytes = MAX_BYTES;
  const limit = limitMemory(wasmMemory, () => maxBytes);
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule, wasmMemory }));
  return {
    quickjs,
    limitHeap(bytes) {
      maxBytes = bytes + STACK_AND_DATA_BYTES;
    },
    exhausted: limit.exhausted,
    grown: () => wasmMemory.buffer.byteLength > INITIAL_BYTES,
  };
}
