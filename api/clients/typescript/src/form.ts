import { exactJson } from './exact-json.ts';

/** Inputs by name. A Blob or File is streamed as a file; every other value must be JSON. */
export type Input = Readonly<Record<string, unknown>>;

export interface SplitInput {
  readonly scalars: Readonly<Record<string, unknown>>;
  readonly files: readonly (readonly [string, Blob])[];
}

/** Splits an input into files for a form and JSON values. */
export function splitInput(input: Input = {}): SplitInput {
  const scalars: Record<string, unknown> = {};
  const files: [string, Blob][] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value instanceof Blob) files.push([name, value]);
    else scalars[name] = value;
  }
  return { scalars, files };
}

/** Creates a multipart body: one field per file, and scalars as JSON in `_json`. Without scalars, `_json` is omitted. */
export function formOf(files: readonly (readonly [string, Blob])[], json: unknown): FormData {
  const form = new FormData();
  if (json !== undefined) form.append('_json', exactJson(json));
  for (const [name, file] of files) form.append(name, file);
  return form;
}

/** Returns the JSON form of a file: text unchanged, bytes as base64. */
export async function fileBody(content: FileContent): Promise<Record<string, string>> {
  if (typeof content === 'string') return { content };
  const typed = content instanceof Blob && content.type !== '' ? { contentType: content.type } : {};
  const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
  return { contentBase64: base64(bytes), ...typed };
}

/** Text, or bytes as a Uint8Array or Blob. */
export type FileContent = string | Uint8Array | Blob;

function base64(bytes: Uint8Array): string {
  let text = '';
  // A function call accepts only some 10,000 arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
