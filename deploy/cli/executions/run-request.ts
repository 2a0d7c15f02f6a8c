import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

export interface RunOptions {
  /** JSON, `@FILE` or `-`. */
  readonly input?: string;
  /** `name=path` each. */
  readonly file?: readonly string[];
}

/** Reads the input of a run: JSON text, a file, or standard input. */
export async function readInput({ input }: RunOptions, context: Pick<CommandContext, 'stdin'>): Promise<unknown> {
  if (input === undefined) return {};
  const text =
    input === '-'
      ? Buffer.concat(await Array.fromAsync(context.stdin as AsyncIterable<Buffer>)).toString()
      : input.startsWith('@')
        ? await readFile(input.slice(1), 'utf8').catch((error: Error) => {
            throw usageError(`--input: ${error.message}`);
          })
        : input;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`--input is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Creates a request that runs something: JSON, or a form if there are files, which are read while they are sent. `json`
 * is the body without files.
 */
export async function runRequest(json: unknown, { file: files = [] }: RunOptions): Promise<RequestInit> {
  if (files.length === 0)
    return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
  const form = new FormData();
  form.append('_json', JSON.stringify(json));
  for (const given of files) {
    const at = given.indexOf('=');
    if (at < 1) throw usageError(`--file ${given}: must be name=path`);
    const path = given.slice(at + 1);
    const blob = await openAsBlob(path).catch(() => {
      throw usageError(`--file ${given}: the file cannot be read`);
    });
    form.append(given.slice(0, at), blob, basename(path));
  }
  return { method: 'POST', body: form };
}

/** For an option that may be repeated. */
export function several(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
