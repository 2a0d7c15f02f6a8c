import { type FileStream, type JqModule, startJq } from './jq-module.ts';

/**
 * One instance of jq. It replaces the input and output of the package with files in memory. The package copies the
 * whole input for every byte read and the whole output for every byte written: 20 kB take 200 ms, and 1 MB takes hours.
 *
 * Freed memory of an instance contains parts of earlier inputs. jq does not expose them, but a bug in jq could. So
 * callers must use an instance for the programs of one account only.
 */
export interface JqInstance {
  /**
   * Runs a program on a document. Returns the compact output of jq, one line per value. Throws JqFailure if jq reports
   * an error.
   */
  run(program: string, document: string): string;
}

export interface JqLimits {
  /** Maximum memory of the instance. */
  readonly memoryBytes: number;
  /** Maximum output of one program, in bytes of UTF-8. Default 16 MiB. */
  readonly outputBytes?: number;
}

/**
 * `error`: reported by jq. After any other reason, the instance must not be used again. `memory`: jq exceeded its
 * memory or aborted. `depth`: stack overflow. `output`: the output is too large.
 */
export type JqFailureReason = 'error' | 'memory' | 'depth' | 'output';

export class JqFailure extends Error {
  readonly reason: JqFailureReason;
  constructor(reason: JqFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const INPUT = '/in.json';
const OUTPUT = '/out.json';
const ERRORS = '/err.txt';
/** Maximum size of the error output of jq. The rest is dropped. */
const MAX_ERROR_BYTES = 64 * 1024;
const DEFAULT_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Creates an instance. The first one in a thread takes about 40 ms, each further one 2 ms. */
export async function createJqInstance({
  memoryBytes,
  outputBytes = DEFAULT_OUTPUT_BYTES,
}: JqLimits): Promise<JqInstance> {
  const jq = await startJq(memoryBytes);
  // The file system assigns the lowest free descriptor: output and errors replace 1 and 2.
  for (const [fd, file, bytes, beyond] of [
    [1, OUTPUT, outputBytes, 'refuse'],
    [2, ERRORS, MAX_ERROR_BYTES, 'drop'],
  ] as const) {
    jq.FS.close(jq.FS.getStream(fd));
    const stream = jq.FS.open(file, 'w+');
    if (stream.fd !== fd) throw new Error('jq-wasm assigns descriptors in another order than the pinned version');
    boundFile(stream, bytes, beyond);
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
  // jq leaves arguments on its stack after a call. Without this reset, the stack overflows after some hundred programs.
  const stack = jq.stackAlloc(0);
  let status: number;
  try {
    status = jq.callMain(['-M', '-c', program, INPUT]);
  } catch (error) {
    throw abortOf(error);
  }
  jq.stackAlloc(jq.stackAlloc(0) - stack);
  if (status !== 0) throw new JqFailure('error', jq.FS.readFile(ERRORS, { encoding: 'utf8' }));
  return jq.FS.readFile(OUTPUT, { encoding: 'utf8' });
}

/** Limits the size of a file. It is in the memory of the thread, which the WebAssembly limit does not cover. */
function boundFile(stream: FileStream, maxBytes: number, beyond: 'refuse' | 'drop'): void {
  const { write } = stream.stream_ops;
  stream.stream_ops = {
    ...stream.stream_ops,
    write(at, buffer, offset, length, ...rest) {
      const room = Math.max(0, maxBytes - at.position);
      if (length <= room) return write(at, buffer, offset, length, ...rest);
      if (beyond === 'refuse') throw new JqFailure('output', `it prints more than ${maxBytes} bytes`);
      write(at, buffer, offset, room, ...rest);
      return length;
    },
  };
}

function abortOf(error: unknown): JqFailure {
  if (error instanceof JqFailure) return error;
  return error instanceof RangeError
    ? new JqFailure('depth', 'it recurses too deeply')
    : new JqFailure('memory', 'it needs too much memory');
}
