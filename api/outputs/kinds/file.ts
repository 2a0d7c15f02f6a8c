import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ecsDetection } from '#analytics/formats/ecs-detection.ts';
import type { OutputSettings } from '#schemas/api/outputs.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { messageId, messageJson } from '../message-json.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';

/** Where the operator lets outputs write files. */
export interface FileAccess {
  /** Absolute. */
  readonly folder: string;
}

const AT_ONCE = 50;
/** A link is not followed out of the folder, and a pipe without a reader does not block. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Readable for a shipper of the same group. */
const MODE = 0o640;
/** Of the end of the file, for what a process that died had written: more than a batch is as a rule. */
const LOOKED_BACK = 2 ** 20;
const LINE_FEED = 10;

/**
 * Appends a line for each message to a file of the operator's folder, and has it on the disk before it counts as delivered. Each line is one write with
 * O_APPEND, so other writers cannot write into the middle of it. The file is opened by its name for every delivery: one that was
 * renamed or removed for rotation is followed by a new one, with no signal. Whether a process that died had written more than it reported is found at the
 * end of the file: every line says which message it is.
 */
export function openFile({ folder }: FileAccess, { name, format }: OutputSettings<'file'>): Output {
  /** The end of the file may differ from what was reported as delivered. */
  let unsure = true;

  async function append(file: FileHandle, batch: readonly OutputMessage[], signal: AbortSignal): Promise<number> {
    const written = unsure ? await readEnd(file) : NOTHING;
    let { isTorn } = written;
    let delivered = 0;
    try {
      for (const message of batch) {
        signal.throwIfAborted();
        if (!written.keys.has(keyOf(message))) {
          await appendLine(file, `${isTorn ? '\n' : ''}${LINES[format](message)}\n`);
          isTorn = false;
        }
        delivered += 1;
      }
    } catch (error) {
      await file.datasync();
      throw failureOf(error, delivered);
    }
    await file.datasync();
    return delivered;
  }

  async function deliver(batch: readonly OutputMessage[], signal: AbortSignal): Promise<number> {
    const file = await open(path.join(folder, name), FLAGS, MODE);
    try {
      if (!(await file.stat()).isFile()) throw new OutputFailure('temporary', `${name} is no regular file`);
      return await append(file, batch, signal);
    } finally {
      await file.close();
    }
  }

  return {
    atOnce: AT_ONCE,
    async deliver(batch, signal) {
      const late = Promise.withResolvers<never>();
      late.promise.catch(() => {});
      const onAbort = () => late.reject(new OutputFailure('temporary', 'the file could not be written to in time'));
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        // A disk on a network can hang in a call that nothing ends.
        const delivered = await Promise.race([late.promise, deliver(batch, signal)]);
        unsure = false;
        return { answer: `${delivered === 1 ? 'it is' : `${delivered} are`} in ${name}` };
      } catch (error) {
        unsure = true;
        throw failureOf(error, 0);
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    close: async () => {},
  };
}

/** `_type` as in the file of `SIEM_AUDIT_PATH`, so that its readers can read these lines too. */
const LINES: Readonly<Record<OutputSettings<'file'>['format'], (message: OutputMessage) => string>> = {
  ecs: (message) => {
    const { event, ...document } = ecsDetection(message.detection);
    return stringifyExact({
      _type: 'security',
      ...document,
      event: { ...event, created: message.at.toISOString() },
      labels: { delivery_id: messageId(message), cause: message.cause },
    });
  },
  json: messageJson,
};

/** One write: a line is there as a whole, or, on a disk that is full, it is known that it is not. */
async function appendLine(file: FileHandle, line: string): Promise<void> {
  const bytes = Buffer.from(line);
  const { bytesWritten } = await file.write(bytes, 0, bytes.length);
  if (bytesWritten < bytes.length) throw new Error('a line was cut short');
}

interface FileEnd {
  readonly keys: ReadonlySet<string | undefined>;
  readonly isTorn: boolean;
}
const NOTHING: FileEnd = { keys: new Set(), isTorn: false };

/** Keys of the last lines, and whether the last one has no end. */
async function readEnd(file: FileHandle): Promise<FileEnd> {
  const { size } = await file.stat();
  const length = Math.min(size, LOOKED_BACK);
  const end = Buffer.alloc(length);
  const { bytesRead } = await file.read(end, 0, length, size - length);
  const text = end.subarray(0, bytesRead);
  // A line that was cut short does not count, as the one at the beginning of what was read.
  const lines = text
    .subarray(0, text.lastIndexOf(LINE_FEED) + 1)
    .toString()
    .split('\n');
  return { keys: new Set(lines.map(keyIn)), isTorn: text.length > 0 && text.at(-1) !== LINE_FEED };
}

/** A detection that was closed, opened and closed again has one id for both: the time distinguishes them. */
function keyOf(message: OutputMessage): string {
  return `${messageId(message)} ${message.at.toISOString()}`;
}

/** The key in a line of either form; undefined in a line of another writer. */
function keyIn(line: string): string | undefined {
  try {
    const { id, time, event, labels } = JSON.parse(line) as Readable;
    return `${labels?.delivery_id ?? id} ${event?.created ?? time}`;
  } catch {
    return undefined;
  }
}

interface Readable {
  readonly id?: unknown;
  readonly time?: unknown;
  readonly event?: { readonly created?: unknown };
  readonly labels?: { readonly delivery_id?: unknown };
}

/** A full disk, a missing folder, a missing permission: the operator corrects it, and everything waits. */
function failureOf(error: unknown, delivered: number): OutputFailure {
  if (error instanceof OutputFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new OutputFailure('temporary', `the file can not be appended to: ${code ?? message}`, {
    delivered,
    cause: error,
  });
}
