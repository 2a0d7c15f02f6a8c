import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { runInThisContext } from 'node:vm';
import { limitMemory, type WasmMemory } from '#api/threads/bounded-memory.ts';

/**
 * jq as WebAssembly from the package `jq-wasm`, compiled once per thread. The source of the package is loaded with
 * three changes: it exports its file system and stack, it receives the compiled binary, and the environment of jq is
 * empty. The version of the package is pinned. A thread fails to start if the patched places are missing.
 */
export interface JqModule {
  callMain(args: string[]): number;
  readonly FS: FileSystem;
  stackAlloc(bytes: number): number;
}

export interface FileSystem {
  writeFile(path: string, data: string): void;
  readFile(path: string, options: { encoding: 'utf8' }): string;
  truncate(path: string, length: number): void;
  open(path: string, flags: string): FileStream;
  close(stream: unknown): void;
  getStream(fd: number): FileStream | null;
}

export interface FileStream {
  readonly fd: number;
  position: number;
  stream_ops: {
    readonly write: (
      stream: FileStream,
      buffer: unknown,
      offset: number,
      length: number,
      ...rest: readonly unknown[]
    ) => number;
  };
}

/** The WebAssembly members in use. The standard types without DOM lack them. */
interface WebAssemblyOfNode {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: unknown) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (...never: never[]) => WasmMemory;
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyOfNode };
const ANCHOR = 'Module["callMain"] = callMain;';
const HANDED_OUT = `${ANCHOR} Module["FS"] = FS; Module["stackAlloc"] = stackAlloc;`;
/** The default environment contains a user, a home directory, a locale, and the path of the current program. */
const ENVIRONMENT = /env = \{ USER:[^}]*\}/;
const BINARY = /data:application\/octet-stream;base64,(?<base64>[\w+/=]+)/;

type Start = (options: object) => Promise<JqModule>;
let loaded: { readonly start: Start; readonly module: object } | undefined;

/**
 * Starts jq in a new WebAssembly instance with an unused file system and memory. Takes about 2 ms after the first one.
 */
export function startJq(memoryBytes: number): Promise<JqModule> {
  loaded ??= load();
  const { start, module } = loaded;
  return start({
    thisProgram: 'jq', // the default is the path of the program of this process
    instantiateWasm(imports: unknown, receive: (instance: object, module: object) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      boundMemory(instance.exports, memoryBytes);
      receive(instance, module);
      return instance.exports;
    },
  });
}

function load(): { readonly start: Start; readonly module: object } {
  const path = createRequire(import.meta.url).resolve('jq-wasm/dist/build/jq.js');
  const source = readFileSync(path, 'utf8');
  const { base64 } = BINARY.exec(source)?.groups ?? {};
  if (base64 === undefined || source.split(ANCHOR).length !== 2 || source.split(ENVIRONMENT).length !== 2)
    throw new Error('jq-wasm differs from the pinned version; install the version of package-lock.json');
  const text = source.replace(BINARY, 'data:,').replace(ANCHOR, HANDED_OUT).replace(ENVIRONMENT, 'env = {}');
  const holder: { exports: unknown } = { exports: {} };
  const wrapper: (exports: unknown, module: unknown, require: unknown, file: string, folder: string) => void =
    runInThisContext(`(function (exports, module, require, __filename, __dirname) { ${text}\n})`, { filename: path });
  wrapper(holder.exports, holder, createRequire(path), path, dirname(path));
  return { start: holder.exports as Start, module: new WebAssembly.Module(Buffer.from(base64, 'base64')) };
}

/**
 * Limits the memory of an instance. At the limit `malloc` fails, and jq aborts with an error that is thrown to the
 * caller.
 */
function boundMemory(exports: Readonly<Record<string, unknown>>, memoryBytes: number): void {
  const memory = Object.values(exports).find((value): value is WasmMemory => value instanceof WebAssembly.Memory);
  if (memory === undefined) throw new Error('jq-wasm exports no memory; install the version of package-lock.json');
  limitMemory(memory, () => memoryBytes);
}
