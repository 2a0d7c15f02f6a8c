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
  const parts = request.parts()[Symbol.asyncIterator]();
  for (;;) {
    const { value: part, done } = await parts.next().catch(refuseBroken);
    if (done === true) return fields;
    if (part.type === 'file') {
      const { fieldname: field, filename = '', mimetype: contentType, file } = part;
      file.on('error', () => {}); // whoever reads it is told; one that is not read any more concerns nobody
      try {
        await onFile({ field, filename, contentType, bytes: file });
      } catch (error) {
        if (file.errored !== null && error === file.errored) refuseBroken(error);
        throw error;
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
}

/** The parser's own refusals carry a status; what it says of a form that breaks off does not. */
function refuseBroken(error: unknown): never {
  if (error instanceof Error && 'statusCode' in error) throw error;
  throw apiError('invalid_value', 'the form breaks off or is malformed');
}
