import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ecsDetection } from '#analytics/formats/ecs-detection.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { choice } from '../fields.ts';
import { messageId, messageJson } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { FileAccess } from '../reach.ts';

const settings = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_][\w.-]{0,126}$/, 'must be a file name without a directory')
    .meta({
      title: 'File name',
      description:
        'In the directory TRAPLINE_OUTPUT_DIR of the server. Created when it is missing; rotate it by renaming',
    }),
  format: choice({ ecs: 'Elastic Common Schema', json: 'JSON, as webhooks receive it' })
    .default('ecs')
    .meta({ title: 'Format', description: 'One line for each message' }),
});

export const kind = defineOutputKind({
  label: 'File',
  description: 'Appends one line for each detection to a file on the server, for the collector of a SIEM.',
  order: 5,
  settings,
  secrets: z.strictObject({}),
  receiver: ['name'],
  unavailable: ({ files }) =>
    files === undefined ? 'this installation has no directory for files: set TRAPLINE_OUTPUT_DIR' : undefined,
  open: ({ reach, settings }) => openFile(reach.files as FileAccess, settings),
});

const MAX_BATCH = 50;
/** Does not follow a symbolic link out of the directory, and does not block on a pipe without a reader. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Readable for a log shipper of the same group. */
const MODE = 0o640;
/** Bytes at the end of the file that are searched for messages written before a crash; larger than a usual batch. */
const TAIL_BYTES = 2 ** 20;
const LINE_FEED = 10;

/**
 * Appends one line per message to a file in the operator's directory. A message is delivered when it is on disk
 * (fdatasync). Each line is one write with O_APPEND, so that concurrent writers cannot interleave. The file is opened
 * by name for every delivery, so that rotation by rename needs no signal. After a crash, the end of the file shows
 * which messages were written, because every line contains the id of its message.
 */
export function openFile({ folder }: FileAccess, { name, format }: z.output<typeof settings>): Output {
  /** True if the file may contain messages that were not reported as delivered. */
  let unsure = true;

  async function append(file: FileHandle, batch: readonly OutputMessage[], signal: AbortSignal): Promise<number> {
    const written = unsure ? await readEnd(file) : EMPTY;
    let { isIncomplete } = written;
    let delivered = 0;
    try {
      for (const message of batch) {
        signal.throwIfAborted();
        if (!written.keys.has(keyOf(message))) {
          await appendLine(file, `${isIncomplete ? '\n' : ''}${LINES[format](message)}\n`);
          isIncomplete = false;
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
      if (!(await file.stat()).isFile()) throw new OutputFailure('temporary', `${name} is not a regular file`);
      return await append(file, batch, signal);
    } finally {
      await file.close();
    }
  }

  return {
    maxBatch: MAX_BATCH,
    async deliver(batch, signal) {
      const late = Promise.withResolvers<never>();
      late.promise.catch(() => {});
      const onAbort = () => late.reject(new OutputFailure('temporary', 'writing to the file timed out'));
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        // A call to a network file system can block indefinitely.
        const delivered = await Promise.race([late.promise, deliver(batch, signal)]);
        unsure = false;
        return { answer: `${delivered === 1 ? '1 line' : `${delivered} lines`} written to ${name}` };
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
const LINES: Readonly<Record<z.output<typeof settings>['format'], (message: OutputMessage) => string>> = {
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

/** Appends a line in one write. Throws if the write was partial. */
async function appendLine(file: FileHandle, line: string): Promise<void> {
  const bytes = Buffer.from(line);
  const { bytesWritten } = await file.write(bytes, 0, bytes.length);
  if (bytesWritten < bytes.length) throw new Error('the disk took only a part of a line');
}

interface FileEnd {
  readonly keys: ReadonlySet<string | undefined>;
  readonly isIncomplete: boolean;
}
const EMPTY: FileEnd = { keys: new Set(), isIncomplete: false };

/** Returns the keys of the last lines, and whether the last line is incomplete (without a line feed). */
async function readEnd(file: FileHandle): Promise<FileEnd> {
  const { size } = await file.stat();
  const length = Math.min(size, TAIL_BYTES);
  const end = Buffer.alloc(length);
  const { bytesRead } = await file.read(end, 0, length, size - length);
  const text = end.subarray(0, bytesRead);
  // The first part may be the end of a line, and an incomplete last line was not delivered.
  const lines = text
    .subarray(0, text.lastIndexOf(LINE_FEED) + 1)
    .toString()
    .split('\n');
  return { keys: new Set(lines.map(keyIn)), isIncomplete: text.length > 0 && text.at(-1) !== LINE_FEED };
}

/** Returns the key of a message. Two closings of one detection have the same message id but different times. */
function keyOf(message: OutputMessage): string {
  return `${messageId(message)} ${message.at.toISOString()}`;
}

/** Returns the key of a line in either format. Undefined for a line of another writer. */
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

/** A full disk, a missing directory or a missing permission is temporary: messages wait until the operator corrects it. */
function failureOf(error: unknown, delivered: number): OutputFailure {
  if (error instanceof OutputFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new OutputFailure('temporary', `appending to the file failed: ${code ?? message}`, {
    delivered,
    cause: error,
  });
}
