import type { ServerConnection } from '../server-connection.ts';
import { workflowPath } from './api-paths.ts';
import type { DefinitionFile } from './definition-files.ts';

export interface PushOptions {
  readonly version?: string;
  readonly kind?: string;
  readonly visibility?: string;
  readonly notes?: string;
}

export interface Pushed {
  readonly file: DefinitionFile;
  /** The current tag; undefined if the definition was rejected. */
  readonly version?: string;
  readonly released?: boolean;
  /** One line each, with the position in the file. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

interface Issue {
  readonly field: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Releases definitions. A definition must be released after those that it runs, but their order is unknown. Rejected
 * ones are retried as long as another one succeeds.
 */
export async function pushDefinitions(
  server: ServerConnection,
  files: readonly DefinitionFile[],
  options: PushOptions,
): Promise<Pushed[]> {
  const results = new Map<string, Pushed>();
  let left = files;
  while (left.length > 0) {
    const refused: DefinitionFile[] = [];
    for (const file of left) {
      const pushed = await push(server, file, options);
      results.set(file.path, pushed);
      if (pushed.version === undefined) refused.push(file);
    }
    if (refused.length === left.length) break;
    left = refused;
  }
  return files.flatMap(({ path }) => results.get(path) ?? []);
}

async function push(server: ServerConnection, file: DefinitionFile, options: PushOptions): Promise<Pushed> {
  const path = workflowPath(file.slug);
  const init = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ yamlContent: file.yamlContent, ...options }),
  };
  const response = await server.fetch(path, init);
  if (response.status === 400) {
    const { issues } = (await response.json()) as { issues: readonly Issue[] };
    return { file, errors: issues.map((issue) => issueText(file, issue)), warnings: [] };
  }
  if (!response.ok) {
    await response.body?.cancel();
    await server.request(path, init); // Throws with the message of the error envelope.
  }
  const { version, released, warnings } = (await response.json()) as {
    version: { version: string };
    released: boolean;
    warnings: readonly Issue[];
  };
  return {
    file,
    version: version.version,
    released,
    errors: [],
    warnings: warnings.map((issue) => issueText(file, issue)),
  };
}

/** Formats a problem as `file:line:column: where: what`, as compilers do. */
function issueText({ path }: DefinitionFile, { field, message, line, column }: Issue): string {
  const place = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
  return `${path}${place}: ${field === '<root>' ? '' : `${field}: `}${message}`;
}
