import { readFileSync } from 'node:fs';

/** The part of WebAssembly that is used here. TypeScript declares it only for browsers. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

/** Functions of the module, and its constants and addresses; see `module/decode.ts` and `module/layout.ts`. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  useShapes(root: number, plans: number): void;
  decode(from: number, to: number): number;
  clearNames(): void;
  isFull(): number;
  nameCount(): number;
  nameNumber(from: number, size: number): number;
}

const GLOBALS = [
  ...['MAX_ROWS', 'MAX_SLOTS', 'MAX_NAMES', 'MAX_NAME_BYTES', 'NUMBER_COLUMNS', 'TEXT_COLUMNS'],
  ...['SHAPE_BYTES', 'WINDOW_BYTES', 'SLOT_NONE', 'SLOT_NAME', 'SLOT_TEXT', 'SLOT_TIME', 'SLOT_UINT64', 'SLOT_INTEGER'],
  ...['STEP_CONSTANT', 'STEP_NAME', 'STEP_TEXT', 'STEP_NUMBER', 'STEP_NUMBER32', 'STEP_DECIMAL', 'STEP_REGISTER'],
  ...['ends', 'input', 'nameTexts', 'nanos', 'nulls', 'numbers', 'seconds', 'shapeMemory', 'shapes', 'sizes', 'slots'],
  ...['texts', 'times'],
] as const;

type Globals = Readonly<Record<(typeof GLOBALS)[number], number>>;

/** An instance of the module with views of its memory. The memory does not grow. */
export type DecoderModule = ReturnType<typeof openModule>;

/** Compiles and starts the module. */
export function openModule() {
  const compiled = new WebAssembly.Module(readFileSync(new URL('./decoder.wasm', import.meta.url)));
  const exported = new WebAssembly.Instance(compiled).exports as ModuleExports &
    Record<keyof Globals, { readonly value: number }>;
  const globals = Object.fromEntries(GLOBALS.map((name) => [name, exported[name].value])) as Globals;
  const { buffer } = exported.memory;
  const { MAX_ROWS, MAX_SLOTS, NUMBER_COLUMNS, TEXT_COLUMNS, MAX_NAMES } = globals;
  return {
    ...globals,
    useShapes: exported.useShapes,
    decode: exported.decode,
    clearNames: exported.clearNames,
    isFull: () => exported.isFull() !== 0,
    nameCount: exported.nameCount,
    nameNumber: exported.nameNumber,
    memory: Buffer.from(buffer),
    endOf: new Uint32Array(buffer, globals.ends, MAX_ROWS),
    sizeOf: new Uint32Array(buffer, globals.sizes, MAX_ROWS),
    shapeOf: new Int32Array(buffer, globals.shapes, MAX_ROWS),
    secondsOf: new Float64Array(buffer, globals.seconds, MAX_ROWS),
    nanosOf: new Uint32Array(buffer, globals.nanos, MAX_ROWS),
    /** Two halves of each slot, the lower one first. */
    slotHalves: new Uint32Array(buffer, globals.slots, 2 * MAX_ROWS * MAX_SLOTS),
    slotValues: new BigUint64Array(buffer, globals.slots, MAX_ROWS * MAX_SLOTS),
    nullBytes: new Uint8Array(buffer, globals.nulls, NUMBER_COLUMNS * MAX_ROWS),
    numberBytes: new Uint8Array(buffer, globals.numbers, NUMBER_COLUMNS * MAX_ROWS * 8),
    textNumbers: new Uint32Array(buffer, globals.texts, TEXT_COLUMNS * MAX_ROWS),
    timeBytes: new Uint8Array(buffer, globals.times, MAX_ROWS * 8),
    nameTextOf: new Uint32Array(buffer, globals.nameTexts, 2 * MAX_NAMES),
  };
}
