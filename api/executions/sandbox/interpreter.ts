import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import { limitMemory, WASM_PAGE_BYTES, type WasmMemory } from '#api/threads/bounded-memory.ts';

/** One WebAssembly instance of QuickJS, for one script. */
export interface Interpreter {
  readonly quickjs: QuickJSWASMModule;
  /** Bounds its heap; to be called once, before the script runs. The heap may have 10 MiB at least: memory is never smaller. */
  limitHeap(bytes: number): void;
  /** An allocation failed for lack of memory. The state of the interpreter is undefined from then on. */
  exhausted(): boolean;
  /** It has more memory than it began with. */
  grown(): boolean;
}

/** The size that the binary requires at its start: 5 MiB of stack and data, the rest is heap. */
const INITIAL_BYTES = 16 * 2 ** 20;
const STACK_AND_DATA_BYTES = 5.25 * 2 ** 20;
/** Built into the binary. */
const MAX_BYTES = 2 ** 31;

const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory };
};

/**
 * The interpreter's own limit (`setMemoryLimit`) counts 8 bytes for each allocation, whatever its size, since `malloc_usable_size` is 0 in WebAssembly. The limit
 * that holds is that of the memory of the instance.
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
