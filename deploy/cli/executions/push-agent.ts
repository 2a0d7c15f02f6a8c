import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { parse } from 'yaml';
import { usageError } from '../command-error.ts';
import type { ServerConnection } from '../server-connection.ts';
import { agentPath } from './api-paths.ts';

/** File with the configuration of the agent. All other files of the folder are its workspace. */
export const AGENT_FILE = 'agent.yaml';
/** Maximum size of files in one request. Base64 adds a third. */
const BATCH_BYTES = 10 * 2 ** 20;

export interface PushedAgent {
  readonly slug: string;
  readonly created: boolean;
  /** Paths of new or changed files. */
  readonly files: readonly string[];
  /** Paths that existed only in the workspace. Deleted unless `keepExtra` is set. */
  readonly extra: readonly string[];
}

interface AgentDescription {
  readonly slug: string;
  readonly name: string;
  readonly description?: string;
  readonly visibility?: string;
  readonly config?: object;
}

interface LocalFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Creates or updates the agent of a folder: its configuration, and its workspace, which then equals the folder.
 * `keepExtra` keeps files that exist only in the workspace, such as those that the agent wrote.
 */
export async function pushAgent(
  server: ServerConnection,
  folder: string,
  { keepExtra = false }: { readonly keepExtra?: boolean } = {},
): Promise<PushedAgent> {
  const { slug, ...rest } = await readDescription(folder);
  const local = await readWorkspace(folder);
  const found = await server.fetch(agentPath(slug));
  const created = found.status === 404;
  await found.body?.cancel();
  if (created) await send(server, 'POST', '/api/v1/agents', { slug, ...rest });
  else await send(server, 'PATCH', agentPath(slug), rest);

  const { agent } = (await (await server.request(agentPath(slug, '?include=files'))).json()) as {
    agent: { files: readonly { path: string; sha256: string }[] };
  };
  const there = new Map(agent.files.map(({ path, sha256 }) => [path, sha256]));
  const changed = local.filter(({ path, bytes }) => there.get(path) !== hashOf(bytes));
  const paths = new Set(local.map(({ path }) => path));
  const extra = [...there.keys()].filter((path) => !paths.has(path));
  // Files are deleted with the first request, because a name may have changed only in case.
  let remove = keepExtra ? [] : extra;
  for (const batch of batches(changed, remove.length > 0)) {
    const files = batch.map(({ path, bytes }) => ({ path, contentBase64: bytes.toString('base64') }));
    await send(server, 'POST', agentPath(slug, '/files'), { files, ...(remove.length === 0 ? {} : { remove }) });
    remove = [];
  }
  return { slug, created, files: changed.map(({ path }) => path), extra };
}

async function send(server: ServerConnection, method: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await server.request(path, { method, headers, body: JSON.stringify(body) });
  await response.body?.cancel();
}

async function readDescription(folder: string): Promise<AgentDescription> {
  const path = join(folder, AGENT_FILE);
  const text = await readFile(path, 'utf8').catch(() => {
    throw usageError(`${path} cannot be read: it must contain slug, name, description and config of the agent`);
  });
  let read: Partial<AgentDescription> | null;
  try {
    read = parse(text, { maxAliasCount: 0 }) as Partial<AgentDescription> | null;
  } catch (error) {
    throw usageError(`${path}: ${(error as Error).message}`);
  }
  const { slug, name, ...rest } = read ?? {};
  if (typeof slug !== 'string' || typeof name !== 'string') throw usageError(`${path}: must contain slug and name`);
  return { slug, name, ...rest };
}

/** Skips hidden files, which belong to editors and version control. */
async function readWorkspace(folder: string): Promise<LocalFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== AGENT_FILE && !/(?:^|\/)\./.test(path))
    .sort();
  return Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(join(folder, path)) })));
}

/** `atLeastOne`: yields an empty batch if there are no files. */
function* batches(files: readonly LocalFile[], atLeastOne: boolean): Generator<LocalFile[]> {
  if (files.length === 0 && atLeastOne) yield [];
  let batch: LocalFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (bytes + file.bytes.length > BATCH_BYTES || batch.length === 500)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.bytes.length;
  }
  if (batch.length > 0) yield batch;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
