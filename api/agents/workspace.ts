import { createHash } from 'node:crypto';
import { checkPath, findClash } from '#api/executions/files/safe-path.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Db } from '#api/postgres/database.ts';
import { insertWorkspaceVersion, listWorkspace, type NamedContent } from './tables/agent-files.ts';
import type { Agent } from './tables/agents.ts';

/** Limits of one workspace. */
export const WORKSPACE_LIMITS = { files: 1_000, fileBytes: 16 * 2 ** 20, bytes: 128 * 2 ** 20 };

/**
 * Writes files into a new version of the workspace, and deletes those of `remove`. The transaction must have locked the
 * agent, and the contents must be stored. Creates no version if nothing changes. Resolves to the resulting version.
 * Rejects with `ApiError` if names clash or the workspace becomes too large.
 */
export async function writeWorkspace(
  transaction: Db,
  agent: Pick<Agent, 'id' | 'latestVersion'>,
  files: readonly NamedContent[],
  author: string,
  remove: readonly string[] = [],
): Promise<number> {
  const live = new Map(
    (await listWorkspace(transaction, agent.id, agent.latestVersion)).map((file) => [file.path, file]),
  );
  const changed = files.filter(({ path, contentHash, contentType }) => {
    const before = live.get(path);
    return before?.contentHash !== contentHash || before.contentType !== contentType;
  });
  const removed = remove.filter((path) => live.has(path) && !files.some((file) => file.path === path));
  if (changed.length + removed.length === 0) return agent.latestVersion;
  const next = new Map<string, NamedContent>(live);
  for (const path of removed) next.delete(path);
  for (const file of changed) next.set(file.path, file);
  checkWorkspace([...next.values()]);
  const version = agent.latestVersion + 1;
  await insertWorkspaceVersion(transaction, {
    agentId: agent.id,
    version,
    commit: commitOf([...next.values()]),
    author,
    files: changed,
    removed,
  });
  return version;
}

/** Returns the stored form of a path. Throws `ApiError` if it is invalid. */
export function requirePath(path: string, field: string): string {
  const checked = checkPath(path);
  if (!checked.ok) throw apiError('invalid_value', `the path ${checked.reason}`, field);
  return checked.path;
}

function checkWorkspace(files: readonly NamedContent[]): void {
  if (files.length > WORKSPACE_LIMITS.files)
    throw apiError('invalid_value', `a workspace has at most ${WORKSPACE_LIMITS.files} files`);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > WORKSPACE_LIMITS.bytes)
    throw apiError('invalid_value', `the files of a workspace have at most ${WORKSPACE_LIMITS.bytes} bytes together`);
  const clash = findClash(files.map(({ path }) => path));
  if (clash !== undefined)
    throw apiError('invalid_value', `${JSON.stringify(clash)} clashes with the name of another file`);
}

/** Returns the SHA-256 over all paths with their contents, in byte order. Equal files have equal commits. */
function commitOf(files: readonly NamedContent[]): string {
  const lines = files.map(({ path, contentHash }) => `${contentHash} ${path}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
