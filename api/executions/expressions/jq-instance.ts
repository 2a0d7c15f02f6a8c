import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { runInThisContext } from 'node:vm';

/**
 * jq as WebAssembly, from the package `jq-wasm`, without its way of moving data: that copies the whole input for every byte read and the whole
 * output for every byte written (a document of 20 kB takes 200 ms, one of 1 MB hours). The module's source is loaded with one line more, which hands
 * out its file system; input and output are then files in memory. The version of the package is pinned; another one whose source does not have the
 * line is refused here, at the start.
 *
 * Loaded in a worker thread only: memory is bounded by a limit on `WebAssembly.Memory.grow` of the whole thread.
 */
export interface JqInstance {
  /** Runs a program on a document; gives what jq printed, compact, one line a value. Throws JqFailure when jq reports an error. */
  run(program: string, document: string): string;
}

/** `dead`: the instance aborted (memory, mostly) and must not be used again. */
export class JqFailure extends Error {
  readonly dead: boolean;
  constructor(message: string, dead: boolean) {
    super(message);
    this.dead = dead;
  }
}

interface FileSystem {
  writeFile(path: string, data: string): void;
  readFile(path: string, options: { encoding: 'utf8' }): string;
  truncate(path: string, length: number): void;
  open(path: string, flags: string): { fd: number };
  close(stream: unknown): void;
  getStream(fd: number): { position: number } | null;
}

interface JqModule {
  callMain(args: string[]): number;
  FS: FileSystem;
  stackAlloc(bytes: number): number;
}

const ANCHOR = 'Module["callMain"] = callMain;';
const HANDED_OUT = `${ANCHOR} Module["FS"] = FS; Module["stackAlloc"] = stackAlloc;`;
const INPUT = '/in.json';
const OUTPUT = '/out.json';
const ERRORS = '/err.txt';
const PAGE_BYTES = 65_536;

/** Starts an instance that may use so much memory. Takes about a quarter of a second. */
export async function createJqInstance(memoryBytes: number): Promise<JqInstance> {
  boundMemory(memoryBytes);
  const path = createRequire(import.meta.url).resolve('jq-wasm/dist/build/jq.js');
  const source = readFileSync(path, 'utf8');
  if (source.split(ANCHOR).length !== 2) throw new Error('this version of jq-wasm is not the one that is known');
  const loaded: { exports: unknown } = { exports: {} };
  const wrapper: (exports: unknown, module: unknown, require: unknown, file: string, folder: string) => void =
    runInThisContext(
      `(function (exports, module, require, __filename, __dirname) { ${source.replace(ANCHOR, HANDED_OUT)}\n})`,
      { filename: path },
    );
  wrapper(loaded.exports, loaded, createRequire(path), path, dirname(path));
  const start = loaded.exports as () => Promise<JqModule>;
  const jq = await start();
  // Descriptors are given out from the lowest: output and errors take the places of 1 and 2.
  for (const [fd, file] of [
    [1, OUTPUT],
    [2, ERRORS],
  ] as const) {
    jq.FS.close(jq.FS.getStream(fd));
    if (jq.FS.open(file, 'w+').fd !== fd) throw new Error('this version of jq-wasm gives out other descriptors');
  }
  return { run: (program, document) => run(jq, program, document) };
}

function run(jq: JqModule, program: string, document: string): string {
  jq.FS.writeFile(INPUT, document);
  for (const [fd, file] of [
    [1, OUTPUT],
    [2, ERRORS],
  ] as const) {
    jq.FS.truncate(file, 0);
    const stream = jq.FS.getStream(fd);
    if (stream !== null) stream.position = 0;
  }
  // Arguments are put on the stack and never taken off: give the room back, or it is used up after some hundred programs.
  const stack = jq.stackAlloc(0);
  let status: number;
  try {
    status = jq.callMain(['-M', '-c', program, INPUT]);
  } catch (error) {
    throw new JqFailure(error instanceof Error ? error.message : String(error), true);
  }
  jq.stackAlloc(jq.stackAlloc(0) - stack);
  if (status !== 0) throw new JqFailure(jq.FS.readFile(ERRORS, { encoding: 'utf8' }), false);
  return jq.FS.readFile(OUTPUT, { encoding: 'utf8' });
}

interface WebAssemblyMemory {
  readonly buffer: { readonly byteLength: number };
}

/** Lets memories of this thread grow to a limit; beyond it jq is told that there is none left, and aborts. */
function boundMemory(memoryBytes: number): void {
  // The types of the language without a browser do not know WebAssembly.
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { readonly Memory: { readonly prototype: { grow(pages: number): number } } };
  };
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WebAssemblyMemory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > memoryBytes) throw new RangeError('out of memory');
    return grow.call(this, pages);
  };
}
