import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { apiError } from './api-error.ts';

/** A file of a form while it comes in. */
export interface IncomingFile {
  readonly field: string;
  /** Without folders; empty when the client gave none. */
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Readable;
}

/** Bytes of all files of one request. */
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Reads a form in whatever order its parts come, and hands each file over while it streams in. Resolves to the text fields; rejects with 400 for
 * what is broken, too large or there twice.
 */
export async function readForm(
  request: FastifyRequest,
  onFile: (file: IncomingFile) => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  let bytes = 0;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const { fieldname: field, filename = '', mimetype: contentType, file } = part;
      try {
        await onFile({ field, filename, contentType, bytes: file });
      } finally {
        file.resume(); // what was not wanted is read over, so that the next part can come
      }
      bytes += file.bytesRead;
      if (bytes > MAX_BYTES)
        throw apiError('invalid_value', `the files of a request have at most ${MAX_BYTES} bytes together`);
      continue;
    }
    const { fieldname, value, valueTruncated } = part;
    if (valueTruncated) throw apiError('invalid_value', 'the field is too large', fieldname);
    if (fields.has(fieldname)) throw apiError('invalid_value', 'the field is there twice', fieldname);
    fields.set(fieldname, String(value));
  }
  return fields;
}
