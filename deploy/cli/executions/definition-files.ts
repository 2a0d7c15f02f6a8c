import { basename } from 'node:path';
import { parse } from 'yaml';
import type { CommandContext } from '../context.ts';
import { readYamlSources } from '../yaml-sources.ts';

export interface DefinitionFile {
  readonly path: string;
  /**
   * `document.name`; if it cannot be read, made from the name of the file. The server reports what is wrong with the definition.
   */
  readonly slug: string;
  readonly yamlContent: string;
}

/** Reads a definition, or all of a folder (`*.yaml`, `*.yml`), sorted by name; `-` is standard input. */
export async function readDefinitions(path: string, context: Pick<CommandContext, 'stdin'>): Promise<DefinitionFile[]> {
  const sources = await readYamlSources(path, 'definitions', context);
  return sources.map((source) => ({
    path: source.path,
    slug: nameOf(source.text) ?? slugOf(source.path),
    yamlContent: source.text,
  }));
}

/** A name that the server accepts in the path of the request, so that it reports what is wrong with the definition. */
function slugOf(path: string): string {
  return basename(path)
    .replace(/\.ya?ml$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
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
