import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { usageError } from '../command-error.ts';

export interface DefinitionFile {
  readonly path: string;
  /**
   * `document.name`; if it cannot be read, the name of the file. The server reports what is wrong with the definition.
   */
  readonly slug: string;
  readonly yamlContent: string;
}

/** Reads a definition, or all of a folder (`*.yaml`, `*.yml`), sorted by name. */
export async function readDefinitions(path: string): Promise<DefinitionFile[]> {
  const found = await stat(path).catch(() => {
    throw usageError(`${path}: there is no such file or folder`);
  });
  if (!found.isDirectory()) return [await readDefinition(path)];
  const names = (await readdir(path)).filter((name) => /\.ya?ml$/i.test(name)).sort();
  if (names.length === 0) throw usageError(`${path}: there are no definitions (*.yaml) in this folder`);
  return Promise.all(names.map((name) => readDefinition(join(path, name))));
}

async function readDefinition(path: string): Promise<DefinitionFile> {
  const yamlContent = await readFile(path, 'utf8');
  return { path, slug: nameOf(yamlContent) ?? basename(path).replace(/\.ya?ml$/i, ''), yamlContent };
}

function nameOf(yamlContent: string): string | undefined {
  try {
    const definition = parse(yamlContent, { maxAliasCount: 0 }) as { document?: { name?: unknown } } | null;
    const name = definition?.document?.name;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
