import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { runBodySchema } from '#schemas/api/workflows.ts';
import type { Contents } from '../../../executions/files/contents.ts';
import { FileTooLarge } from '../../../executions/files/port.ts';
import { checkPath } from '../../../executions/files/safe-path.ts';
import type { JsonValue } from '../../../executions/json-value.ts';
import { apiError, invalidRequest } from '../../../http/api-error.ts';
import type { ExecutionFileContent } from '../../../store/tables/execution-files.ts';
import type { RunLimits } from './deps.ts';

/** A run as it is asked for, whichever way it came. */
export interface RunRequest extends Omit<z.output<typeof runBodySchema>, 'input'> {
  /** With a reference to each file under the name of its field. */
  readonly input: JsonValue;
  readonly files: readonly ExecutionFileContent[];
}

/** Of the field `_json`. */
const MAX_FIELD_BYTES = 1024 * 1024;
const JSON_FIELD = '_json';
/** What the parser of forms says of one that is none; its errors have no other mark. */
const MALFORMED = /^(?:Unexpected end of (?:form|file|multipart data)|Malformed |Multipart: |Boundary )/i;

/**
 * Reads the body of a run: JSON, or a form whose files go to the store as they come, whatever the order of its parts. What is in the store when the rest is
 * refused is referred to by nobody, and goes within the hour.
 */
export async function readRunRequest(
  request: FastifyRequest,
  contents: Pick<Contents, 'put'>,
  limits: RunLimits,
): Promise<RunRequest> {
  if (!request.isMultipart()) return { ...withInput(request.body ?? {}), files: [] };
  return readForm(request, contents, limits).catch((error: unknown) => {
    throw error instanceof Error && MALFORMED.test(error.message) ? refused('<root>', error.message) : error;
  });
}

async function readForm(
  request: FastifyRequest,
  contents: Pick<Contents, 'put'>,
  limits: RunLimits,
): Promise<RunRequest> {
  const files = new Map<string, ExecutionFileContent & { readonly filename: string }>();
  let json: string | undefined;
  let left = limits.filesBytes;
  const parts = request.parts({
    limits: {
      files: limits.files,
      fields: 1,
      fileSize: limits.fileBytes + 1,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: 600,
    },
    preservePath: true,
  });
  for await (const part of parts) {
    const field = part.fieldname;
    if (part.type === 'field') {
      if (field !== JSON_FIELD) throw refused(field, 'values go into the field _json; other fields are files');
      if (json !== undefined) throw refused(field, 'is given twice');
      if (part.valueTruncated) throw refused(field, `has at most ${MAX_FIELD_BYTES} bytes`);
      json = String(part.value);
      continue;
    }
    const file = await keep(part, field, Math.min(limits.fileBytes, left));
    if (files.has(field)) throw refused(field, 'is given twice');
    files.set(field, file);
    left -= file.size;
  }
  const body = withInput(parse(json));
  return { ...body, input: withFiles(body.input, files), files: [...files.values()].map(contentOf) };

  async function keep(part: MultipartFile, field: string, maxBytes: number) {
    const checked = checkPath(field);
    if (field === JSON_FIELD || field === '__proto__' || !checked.ok || checked.path !== field)
      throw refused(field, `this is no name for an input: it ${checked.ok ? 'is taken' : checked.reason}`);
    const { contentHash, size } = await contents.put(part.file, maxBytes).catch((error: unknown) => {
      throw error instanceof FileTooLarge ? refused(field, error.message) : error;
    });
    const contentType = contentTypeOf(part.mimetype);
    return { kind: 'input' as const, path: field, contentHash, size, contentType, filename: plainName(part.filename) };
  }
}

function withInput(body: unknown): Omit<RunRequest, 'files'> {
  const checked = runBodySchema.safeParse(body);
  if (!checked.success) throw invalidRequest(checked.error);
  return { ...checked.data, input: (checked.data.input ?? {}) as JsonValue };
}

/** Keys that would reach a prototype are refused, as in every JSON body. */
function parse(json: string | undefined): unknown {
  if (json === undefined || json === '') return {};
  try {
    return JSON.parse(json, (key, value: unknown) => {
      if (key === '__proto__') throw new SyntaxError('the key __proto__ is not taken');
      return value;
    });
  } catch (error) {
    throw refused(JSON_FIELD, error instanceof Error ? error.message : 'JSON is expected');
  }
}

/** Each file under the name of its field: what it is, and the hash under which it lies. */
function withFiles(
  input: JsonValue,
  files: ReadonlyMap<string, ExecutionFileContent & { readonly filename: string }>,
): JsonValue {
  if (files.size === 0) return input;
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw refused('input', 'an object is expected: files are put into it under their names');
  const taken = [...files.keys()].find((field) => Object.hasOwn(input, field));
  if (taken !== undefined) throw refused(taken, 'is both a file and a value of the input');
  const references = [...files].map(
    ([field, { filename, contentType, size, contentHash }]) =>
      [field, { file: field, filename, contentType, size, sha256: contentHash }] as const,
  );
  return { ...input, ...Object.fromEntries(references) };
}

function contentOf({ kind, path, contentHash, size, contentType }: ExecutionFileContent): ExecutionFileContent {
  return { kind, path, contentHash, size, contentType };
}

/** What the sender called it, without folders. It is told to the workflow, and nothing is ever opened by it. */
function plainName(filename: string | undefined): string {
  const [name = ''] = (filename ?? '').normalize('NFC').split(/[\\/]/).slice(-1);
  return (
    name
      .replace(/\p{Cc}/gu, '')
      .toWellFormed()
      .slice(0, 255) || 'file'
  );
}

function contentTypeOf(mimetype: string | undefined): string {
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimetype ?? '') ? String(mimetype) : 'application/octet-stream';
}

function refused(field: string, message: string) {
  return apiError('invalid_value', message, field.replace(/[^\x20-\x7e]/g, '?').slice(0, 200) || '<root>');
}
