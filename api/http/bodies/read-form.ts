import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { apiError } from '../api-error.ts';

/** A file of a form while it is received. */
export interface IncomingFile {
  readonly field: string;
  /** The file name without folders. Empty if the client sent none. */
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Readable;
  /** Bytes that remain of the limit for all files after the previous files. */
  readonly maxBytes: number;
}

/** Limits of a form. Defaults are those of the parser. */
export interface FormLimits {
  readonly files?: number;
  readonly fields?: number;
  /** Maximum bytes per file. The parser reads one more byte, so that the consumer can detect the excess. */
  readonly fileBytes?: number;
  readonly fieldBytes?: number;
  /** Maximum bytes of all files together. */
  readonly allBytes?: number;
}

const MAX_BYTES = 256 * 2 ** 20;
const FIELD_NAME_BYTES = 600;

/**
 * Reads a form with parts in any order. Passes each file to `onFile` while it is received. Resolves to the text fields.
 * Rejects with a 400 for a form that is malformed, too large, or has a duplicate field.
 */
export async function readForm(
  request: FastifyRequest,
  onFile: (file: IncomingFile) => Promise<void>,
  limits: FormLimits = {},
): Promise<ReadonlyMap<string, string>> {
  const { allBytes = MAX_BYTES } = limits;
  const fields = new Map<string, string>();
  let bytes = 0;
  const parts = request.parts({ limits: parserLimits(limits) })[Symbol.asyncIterator]();
  for (;;) {
    const { value: part, done } = await parts.next().catch(refuseBroken);
    if (done === true) return fields;
    if (part.type === 'file') {
      const { fieldname: field, filename = '', mimetype: contentType, file } = part;
      file.on('error', () => {}); // the reader receives the error; without a reader it has no effect
      try {
        await onFile({ field, filename, contentType, bytes: file, maxBytes: allBytes - bytes });
      } catch (error) {
        if (file.errored !== null && error === file.errored) refuseBroken(error);
        throw error;
      } finally {
        file.resume(); // discards what `onFile` did not read, so that the next part can be received
      }
      bytes += file.bytesRead;
      if (bytes > allBytes)
        throw apiError('invalid_value', `the files of a request have at most ${allBytes} bytes together`);
      continue;
    }
    const { fieldname, value, valueTruncated } = part;
    if (valueTruncated) throw apiError('invalid_value', 'the field is too large', fieldname);
    if (fields.has(fieldname)) throw apiError('invalid_value', 'the field is sent twice', fieldname);
    // The library parses a field with the content type of JSON.
    fields.set(fieldname, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

function parserLimits({ files, fields, fileBytes, fieldBytes }: FormLimits) {
  return {
    fieldNameSize: FIELD_NAME_BYTES,
    ...(files === undefined ? {} : { files }),
    ...(fields === undefined ? {} : { fields }),
    ...(fileBytes === undefined ? {} : { fileSize: fileBytes + 1 }),
    ...(fieldBytes === undefined ? {} : { fieldSize: fieldBytes }),
  };
}

/** The parser's errors for exceeded limits have a status; its errors for a truncated form have none. */
function refuseBroken(error: unknown): never {
  // The library sets the status 406 for this error.
  if (error instanceof Error && 'code' in error && error.code === 'FST_INVALID_JSON_FIELD_ERROR')
    throw apiError('invalid_value', 'the field is not valid JSON');
  if (error instanceof Error && 'statusCode' in error) throw error;
  throw apiError('invalid_value', 'the form is truncated or malformed');
}
