/**
 * A limit on the growth of WebAssembly memory. Emscripten grows memory through the method `grow` of this object only (its binaries contain no `memory.grow`),
 * asks for less when a growth is refused, and lets `malloc` fail when all are.
 */

/** WebAssembly memory: the types of the language without a browser lack it. */
export interface WasmMemory {
  readonly buffer: { readonly byteLength: number };
  grow(pages: number): number;
}

export interface MemoryLimit {
  /** The last growth was refused: an allocation failed. */
  exhausted(): boolean;
}

export const WASM_PAGE_BYTES = 65_536;

/** `maxBytes` is read at every growth. */
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
