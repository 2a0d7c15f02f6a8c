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
  /** What is left for it of the bytes that all files may have. */
  readonly maxBytes: number;
}

/** What a form may have; what is not given is as the parser was set up. */
export interface FormLimits {
  readonly files?: number;
  readonly fields?: number;
  /** Maximum bytes of a file. One more is read, so that the consumer notices an excess. */
  readonly fileBytes?: number;
  readonly fieldBytes?: number;
  /** Bytes of all files together. */
  readonly allBytes?: number;
}

const MAX_BYTES = 256 * 2 ** 20;
const FIELD_NAME_BYTES = 600;

/**
 * Reads a form in whatever order its parts come, and hands each file over while it streams in. Resolves to the text fields; rejects with 400 for
 * what is broken, too large or there twice.
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
      file.on('error', () => {}); // the reader gets the error; without a reader it has no effect
      try {
        await onFile({ field, filename, contentType, bytes: file, maxBytes: allBytes - bytes });
      } catch (error) {
        if (file.errored !== null && error === file.errored) refuseBroken(error);
        throw error;
      } finally {
        file.resume(); // what was not wanted is read over, so that the next part can come
      }
      bytes += file.bytesRead;
      if (bytes > allBytes)
        throw apiError('invalid_value', `the files of a request have at most ${allBytes} bytes together`);
      continue;
    }
    const { fieldname, value, valueTruncated } = part;
    if (valueTruncated) throw apiError('invalid_value', 'the field is too large', fieldname);
    if (fields.has(fieldname)) throw apiError('invalid_value', 'the field is there twice', fieldname);
    // One that says that it is JSON comes parsed.
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

/** The parser's own refusals carry a status; what it says of a form that breaks off does not. */
function refuseBroken(error: unknown): never {
  // The library takes that for a matter of what is accepted.
  if (error instanceof Error && 'code' in error && error.code === 'FST_INVALID_JSON_FIELD_ERROR')
    throw apiError('invalid_value', 'the field is not valid JSON');
  if (error instanceof Error && 'statusCode' in error) throw error;
  throw apiError('invalid_value', 'the form breaks off or is malformed');
}
