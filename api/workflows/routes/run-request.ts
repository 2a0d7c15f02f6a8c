import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Contents } from '#api/executions/files/contents.ts';
import { FileTooLarge } from '#api/executions/files/port.ts';
import { checkPath } from '#api/executions/files/safe-path.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { ExecutionFileContent } from '#api/executions/tables/execution-files.ts';
import { apiError, invalidRequest } from '#api/http/api-error.ts';
import { type IncomingFile, readForm } from '#api/http/bodies/read-form.ts';
import { uploadName } from '#api/http/bodies/upload-name.ts';
import { refusalOfJson } from '#api/http/responses/json-text.ts';
import { runBodySchema } from '#schemas/api/executions.ts';
import type { RunLimits } from './deps.ts';

/** A request to run a workflow, from JSON or from a form. */
export interface RunRequest extends Omit<z.output<typeof runBodySchema>, 'input'> {
  /** With a reference to each file, under the name of its form field. */
  readonly input: JsonValue;
  readonly files: readonly ExecutionFileContent[];
}

/** Maximum size of the field `_json`. */
const MAX_FIELD_BYTES = 1024 * 1024;
const JSON_FIELD = '_json';

/**
 * Parses the body of a run: JSON, or a form. Files of a form are streamed to the store, in any order of its parts. If
 * the request is rejected later, the stored files have no reference and are deleted within an hour.
 */
export async function readRunRequest(
  request: FastifyRequest,
  contents: Pick<Contents, 'put'>,
  limits: RunLimits,
): Promise<RunRequest> {
  if (!request.isMultipart()) return { ...withInput(request.body ?? {}), files: [] };
  const files = new Map<string, ExecutionFileContent & { readonly filename: string }>();
  const { filesBytes: allBytes, fileBytes, files: most } = limits;
  const fields = await readForm(request, keep, {
    files: most,
    fields: 1,
    fileBytes,
    fieldBytes: MAX_FIELD_BYTES,
    allBytes,
  });
  for (const field of fields.keys())
    if (field !== JSON_FIELD) throw refused(field, 'values go into the field _json; other fields are files');
  const body = withInput(parse(fields.get(JSON_FIELD)));
  return { ...body, input: withFiles(body.input, files), files: [...files.values()].map(contentOf) };

  async function keep({ field, filename, contentType, bytes, maxBytes }: IncomingFile): Promise<void> {
    const checked = checkPath(field);
    if (field === JSON_FIELD || field === '__proto__' || !checked.ok || checked.path !== field)
      throw refused(field, `invalid name of an input: it ${checked.ok ? 'is reserved' : checked.reason}`);
    const stored = await contents.put(bytes, Math.min(fileBytes, maxBytes), contentType).catch((error: unknown) => {
      throw error instanceof FileTooLarge ? refused(field, error.message) : error;
    });
    if (files.has(field)) throw refused(field, 'is given twice');
    files.set(field, {
      kind: 'input',
      path: field,
      ...stored,
      filename: uploadName(filename) || 'file',
    });
  }
}

function withInput(body: unknown): Omit<RunRequest, 'files'> {
  const checked = runBodySchema.safeParse(body);
  if (!checked.success) throw invalidRequest(checked.error);
  return { ...checked.data, input: (checked.data.input ?? {}) as JsonValue };
}

/** Rejects keys that reach a prototype, as in every JSON body. */
function parse(json: string | undefined): unknown {
  if (json === undefined || json === '') return {};
  const refusal = refusalOfJson(json, JSON_FIELD);
  if (refusal !== undefined) throw refusal;
  try {
    return JSON.parse(json, (key, value: unknown) => {
      if (key === '__proto__') throw new SyntaxError('the key __proto__ is not allowed');
      return value;
    });
  } catch (error) {
    throw refused(JSON_FIELD, error instanceof Error ? error.message : 'must be JSON');
  }
}

/** Adds each file under the name of its form field, as a reference with its hash. */
function withFiles(
  input: JsonValue,
  files: ReadonlyMap<string, ExecutionFileContent & { readonly filename: string }>,
): JsonValue {
  if (files.size === 0) return input;
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw refused('input', 'must be an object: files are put into it under their names');
  const taken = [...files.keys()].find((field) => Object.hasOwn(input, field));
  if (taken !== undefined) throw refused(taken, 'is both a file and a value of the input');
  const references = [...files].map(
    ([field, { filename, contentType, size, contentHash }]) =>
      [field, { file: field, filename, contentType, size, sha256: contentHash }] as const,
  );
  return { ...input, ...Object.fromEntries(references) };
}

function contentOf({
  kind,
  path,
  contentHash,
  size,
  contentType,
  filename = null,
}: ExecutionFileContent): ExecutionFileContent {
  return { kind, path, contentHash, size, contentType, filename };
}

function refused(field: string, message: string) {
  return apiError('invalid_value', message, field.replace(/[^\x20-\x7e]/g, '?').slice(0, 200) || '<root>');
}
