import { type FileHandle, open, stat } from 'node:fs/promises';
import { createLineSplitter } from './line-splitter.ts';
import { type KernelLogSource, pause, type SourceItem } from './source.ts';

export interface FileSourceOptions {
  /**
   * If true, waits for more data at the end, across rotation (a new file with the same name) and truncation, as `tail
   * -F` does.
   */
  readonly follow?: boolean;
  readonly pollMs?: number;
  readonly idleMs?: number;
}

const CHUNK = 65_536;

/**
 * Reads a file from its beginning. When following, it waits for a file that does not exist yet or is missing during a
 * rotation.
 */
export function createFileSource(path: string, options: FileSourceOptions = {}): KernelLogSource {
  const { follow = false, pollMs = 100, idleMs = 500 } = options;

  return async function* read(signal: AbortSignal): AsyncGenerator<SourceItem> {
    let file: FileHandle | null = follow ? await openIfThere(path) : await open(path);
    const buffer = Buffer.allocUnsafe(CHUNK);
    let splitter = createLineSplitter();
    let quietMs = 0;
    let position = 0;
    try {
      for (let ended = false; !ended; ) {
        ended = signal.aborted;
        const length = file ? (await file.read(buffer, 0, CHUNK, position)).bytesRead : 0;
        if (length > 0) {
          position += length;
          quietMs = 0;
          const lines = splitter.push(buffer.subarray(0, length));
          if (lines.length > 0) yield { kind: 'lines', lines };
          continue;
        }
        if (!follow) break;
        if (ended) continue;
        if (!file || (await wasReplaced(path, file))) {
          // The old file has been read to its end. A last line without a line end will not be completed.
          const last = splitter.end();
          if (last.length > 0) yield { kind: 'lines', lines: last };
          const next = await openIfThere(path);
          if (next) {
            await file?.close();
            file = next;
            position = 0;
            splitter = createLineSplitter();
            continue;
          }
        } else if ((await file.stat()).size < position) position = 0;
        await pause(pollMs, signal);
        if (quietMs < idleMs && quietMs + pollMs >= idleMs) yield { kind: 'idle' };
        quietMs += pollMs;
      }
      const last = splitter.end();
      if (last.length > 0) yield { kind: 'lines', lines: last };
    } finally {
      await file?.close();
    }
  };
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Returns true if the name refers to another file now. Returns false if the name is missing for the moment of a
 * rotation.
 */
async function wasReplaced(path: string, file: FileHandle): Promise<boolean> {
  try {
    const [named, held] = await Promise.all([stat(path), file.stat()]);
    return named.ino !== held.ino || named.dev !== held.dev;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
