import { exactJson } from './exact-json.ts';

/** Inputs by name. A Blob or File is a file and is streamed; everything else must be JSON. */
export type Input = Readonly<Record<string, unknown>>;

export interface SplitInput {
  readonly scalars: Readonly<Record<string, unknown>>;
  readonly files: readonly (readonly [string, Blob])[];
}

/** What of an input goes as files of a form, and what as JSON. */
export function splitInput(input: Input = {}): SplitInput {
  const scalars: Record<string, unknown> = {};
  const files: [string, Blob][] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value instanceof Blob) files.push([name, value]);
    else scalars[name] = value;
  }
  return { scalars, files };
}

/** A multipart body: each file a field of its own, scalars as JSON in `_json`, which is left out without scalars. */
export function formOf(files: readonly (readonly [string, Blob])[], json: unknown): FormData {
  const form = new FormData();
  if (json !== undefined) form.append('_json', exactJson(json));
  for (const [name, file] of files) form.append(name, file);
  return form;
}

/** A file as JSON has it: text as it is, bytes as base64. */
export async function fileBody(content: FileContent): Promise<Record<string, string>> {
  if (typeof content === 'string') return { content };
  const typed = content instanceof Blob && content.type !== '' ? { contentType: content.type } : {};
  const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
  return { contentBase64: base64(bytes), ...typed };
}

/** Text, or bytes in one of the ways JavaScript holds them. */
export type FileContent = string | Uint8Array | Blob;

function base64(bytes: Uint8Array): string {
  let text = '';
  // A call takes no more than some 10,000 arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
