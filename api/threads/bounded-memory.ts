/**
 * Limits the growth of WebAssembly memory. Emscripten grows memory only through the method `grow` of this object (its
 * binaries contain no `memory.grow`). If a growth is rejected, it requests less, and `malloc` fails if all requests are
 * rejected.
 */

/** WebAssembly memory: the standard types without DOM lack it. */
export interface WasmMemory {
  readonly buffer: { readonly byteLength: number };
  grow(pages: number): number;
}

export interface MemoryLimit {
  /** True if the last growth was rejected, so an allocation failed. */
  exhausted(): boolean;
}

export const WASM_PAGE_BYTES = 65_536;

/** Limits a memory. `maxBytes` is called at every growth. */
export function limitMemory(memory: WasmMemory, maxBytes: () => number): MemoryLimit {
  const grow = memory.grow.bind(memory);
  let refused = false;
  memory.grow = (pages) => {
    refused = memory.buffer.byteLength + pages * WASM_PAGE_BYTES > maxBytes();
    if (refused) throw new RangeError('out of memory');
    return grow(pages);
  };
  return { exhausted: () => refused };
}
