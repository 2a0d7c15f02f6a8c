import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

export interface YamlSource {
  /** For messages; of standard input: its name. */
  readonly path: string;
  readonly text: string;
}

/** Name of the source `-` in messages. */
const STANDARD_INPUT = 'standard input';

/**
 * Reads a YAML file, all of a folder (`*.yaml`, `*.yml`) sorted by name, or standard input for `-`. `content` is what the files hold, for messages. Throws a
 * `CommandError` (wrong usage) when there is nothing to read.
 */
export async function readYamlSources(
  path: string,
  content: string,
  { stdin }: Pick<CommandContext, 'stdin'>,
): Promise<YamlSource[]> {
  if (path === '-') return [{ path: STANDARD_INPUT, text: await text(stdin) }];
  const found = await stat(path).catch(() => {
    throw usageError(`${path}: there is no such file or folder`);
  });
  if (!found.isDirectory()) return [await readSource(path)];
  const names = (await readdir(path)).filter((name) => /\.ya?ml$/i.test(name)).sort();
  if (names.length === 0) throw usageError(`${path}: there are no ${content} (*.yaml, *.yml) in this folder`);
  return Promise.all(names.map((name) => readSource(join(path, name))));
}

async function readSource(path: string): Promise<YamlSource> {
  return { path, text: await readFile(path, 'utf8') };
}
