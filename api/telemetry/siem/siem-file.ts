import { once } from 'node:events';
import { close, constants, fstat, open, stat, write } from 'node:fs';
import { promisify } from 'node:util';

export interface SiemFile {
  /** Appends one line, given without a line feed. Never blocks and never throws. */
  append(line: string): void;
  /** Writes the queued lines, within `closeMs`. */
  close(): Promise<void>;
}

export interface SiemFileDeps {
  /** Receives the number of lines that could not be written. */
  readonly onFailure: (error: Error, lines: number) => void;
}

export interface SiemFileConfig {
  /** Absolute path. */
  readonly path: string;
  /** Maximum bytes of queued lines; further lines are dropped. Default 8 MiB. */
  readonly maxWaitingBytes?: number;
  /** Interval of checks for a rotation while lines are written, ms. Default 250. */
  readonly rotationCheckMs?: number;
  /** Time limit of closing, ms. Default 3,000. */
  readonly closeMs?: number;
}

/** The file cannot be appended to. Thrown at start-up, which then fails. */
export class SiemFileNotWritable extends Error {
  override readonly name = 'SiemFileNotWritable';
}

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
/** Readable for a log shipper of the same group. */
const MODE = 0o640;
const NEWLINE = Buffer.from('\n');

const openFile = promisify(open);
const closeFile = promisify(close);
const statOfFile = promisify(fstat);
const statAt = promisify(stat);

/**
 * Opens a file to which several processes append. Each line is one write call with O_APPEND, so the kernel appends it
 * as a whole. A renamed or removed file is detected and opened again under its name, so rotation needs no signal. Lines
 * that cannot be written are dropped and reported: the stores have all records. Rejects with `SiemFileNotWritable`.
 */
export async function openSiemFile({ onFailure }: SiemFileDeps, config: SiemFileConfig): Promise<SiemFile> {
  const { path, maxWaitingBytes = 8 * 2 ** 20, rotationCheckMs = 250, closeMs = 3_000 } = config;
  let file: OpenFile | undefined = await openAt(path).catch((error: NodeJS.ErrnoException) => {
    throw new SiemFileNotWritable(`cannot append to ${path} (${error.code})`, { cause: error });
  });
  let checkedAt = performance.now();
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  /** True if the last write was partial: the next line must begin with a line feed. */
  let torn = false;
  let ended = false;

  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      if (ended || waitingBytes + bytes.length > maxWaitingBytes) {
        onFailure(new Error(ended ? 'the file is closed' : 'too much waits to be written'), 1);
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    async close() {
      const patience = AbortSignal.timeout(closeMs);
      // A write can hang on a network file system.
      await Promise.race([writing, once(patience, 'abort')]);
      ended = true;
      if (file !== undefined) await closeFile(file.fd).catch(() => {});
      file = undefined;
    },
  };

  async function writeAll(): Promise<void> {
    // Deferred, so that the work of a request comes first.
    await null;
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      for (const line of lines) {
        if (ended) onFailure(new Error('the time to close is over'), 1);
        else await writeLine(line);
        waitingBytes -= line.length;
      }
    }
  }

  async function writeLine(line: Buffer): Promise<void> {
    try {
      const { fd } = await current();
      const whole = torn ? Buffer.concat([NEWLINE, line]) : line;
      const written = await writeOnce(fd, whole);
      if (written > 0) torn = written < whole.length;
      if (written < whole.length) throw new Error('the line was cut short');
    } catch (error) {
      onFailure(error as Error, 1);
    }
  }

  /** Returns the file that currently has this name. */
  async function current(): Promise<OpenFile> {
    const now = performance.now();
    const due = now - checkedAt >= rotationCheckMs;
    if (file !== undefined && !due) return file;
    if (file === undefined && !due) throw new Error('the file is not open');
    checkedAt = now;
    const there = await identityAt(path);
    if (file !== undefined && there === file.identity) return file;
    const old = file;
    file = undefined;
    torn = false;
    if (old !== undefined) await closeFile(old.fd).catch(() => {});
    file = await openAt(path);
    return file;
  }
}

interface OpenFile {
  readonly fd: number;
  /** Device and inode. */
  readonly identity: string;
}

async function openAt(path: string): Promise<OpenFile> {
  const fd = await openFile(path, FLAGS, MODE);
  return { fd, identity: identityOf(await statOfFile(fd, { bigint: true })) };
}

/** Returns the identity of the file with this name. Undefined if it does not exist. */
async function identityAt(path: string): Promise<string | undefined> {
  try {
    return identityOf(await statAt(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

function writeOnce(fd: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => (error ? reject(error) : resolve(written)));
  });
}
