import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { isStorable } from '#schemas/api/storable-text.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentVersions: AgentVersionsTable;
    agentFiles: AgentFilesTable;
  }
}

/** Versions of workspaces. Each change creates one. */
export interface AgentVersionsTable {
  agentId: string;
  version: number;
  /** SHA-256 of all its paths and contents, hexadecimal. */
  commit: string;
  /** See `actorOf`. `execution:<id>` if an agent wrote to its own workspace. */
  author: string;
  createdAt: Generated<Date>;
}

/** A file, from the version that added it to the version that changed or removed it. */
export interface AgentFilesTable {
  agentId: string;
  path: string;
  fromVersion: number;
  /** Null for the current file. */
  untilVersion: Generated<number | null>;
  /** SHA-256, hexadecimal: its name in the file store. */
  contentHash: string;
  /** Size in bytes. */
  size: number;
  contentType: string;
  createdAt: Generated<Date>;
}

/** A file by name and content. */
export interface NamedContent {
  readonly path: string;
  readonly contentHash: string;
  readonly size: number;
  readonly contentType: string;
}

/** An input file of a run. `path` is the name of the input. */
export interface GivenFile extends NamedContent {
  /** File name that the sender gave. Null or absent if it is unknown. */
  readonly filename?: string | null;
}

export type WorkspaceFile = Pick<
  Selectable<AgentFilesTable>,
  'path' | 'contentHash' | 'size' | 'contentType' | 'createdAt' | 'fromVersion'
>;
const FILE = ['path', 'contentHash', 'size', 'contentType', 'createdAt', 'fromVersion'] as const;

export type WorkspaceVersion = Pick<Selectable<AgentVersionsTable>, 'version' | 'commit' | 'createdAt'>;

/** Returns the versions of a workspace, newest first. Numbers are contiguous up to the latest. */
export function listWorkspaceVersions(
  db: Db,
  agentId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<WorkspaceVersion[]> {
  return db
    .selectFrom('agentVersions')
    .select(['version', 'commit', 'createdAt'])
    .where('agentId', '=', agentId)
    .orderBy('version', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** Returns the files of the workspace at a version, by path. */
export function listWorkspace(db: Db, agentId: string, version: number): Promise<WorkspaceFile[]> {
  return db
    .selectFrom('agentFiles')
    .select(FILE)
    .where('agentId', '=', agentId)
    .where('fromVersion', '<=', version)
    .where(({ eb, or }) => or([eb('untilVersion', 'is', null), eb('untilVersion', '>', version)]))
    .orderBy(sql`path COLLATE "C"`)
    .execute();
}

/** Returns a file at a version; undefined if it did not exist. */
export function findWorkspaceFile(
  db: Db,
  agentId: string,
  version: number,
  path: string,
): Promise<WorkspaceFile | undefined> {
  return db
    .selectFrom('agentFiles')
    .select(FILE)
    .where('agentId', '=', agentId)
    .where('path', '=', path)
    .where('fromVersion', '<=', version)
    .where(({ eb, or }) => or([eb('untilVersion', 'is', null), eb('untilVersion', '>', version)]))
    .executeTakeFirst();
}

/**
 * Writes files into a new version of the workspace. The agent must be locked (`lockAgent`). Rejects with a violation of
 * `agent_files_live_fold` if two paths differ only in case.
 */
export async function insertWorkspaceVersion(
  db: Db,
  change: {
    readonly agentId: string;
    readonly version: number;
    readonly commit: string;
    readonly author: string;
    readonly files: readonly NamedContent[];
    /** Deleted paths. */
    readonly removed: readonly string[];
  },
): Promise<void> {
  const { agentId, version, commit, author, files, removed } = change;
  await db.insertInto('agentVersions').values({ agentId, version, commit, author }).execute();
  await db
    .updateTable('agentFiles')
    .set({ untilVersion: version })
    .where('agentId', '=', agentId)
    .where('untilVersion', 'is', null)
    .where('path', '=', sql<string>`ANY(${[...files.map(({ path }) => path), ...removed]})`)
    .execute();
  if (files.length > 0)
    await db
      .insertInto('agentFiles')
      .values(files.map((file) => ({ ...file, agentId, fromVersion: version })))
      .execute();
  await db
    .updateTable('agents')
    .set({ latestVersion: version, latestCommit: commit, updatedAt: sql`now()` })
    .where('id', '=', agentId)
    .execute();
}

/** Returns which of these files currently exist, by agent. */
export async function livePaths(
  db: Db,
  wanted: readonly { readonly agentId: string; readonly path: string }[],
): Promise<Map<string, Set<string>>> {
  // No file has such a name, and it would make the query fail.
  const storable = wanted.filter(({ path }) => isStorable(path));
  const agentIds = storable.map(({ agentId }) => agentId);
  const paths = storable.map(({ path }) => path);
  const rows = await db
    .selectFrom('agentFiles')
    .select(['agentId', 'path'])
    .where('untilVersion', 'is', null)
    .where(sql<boolean>`(agent_id, path) IN (SELECT * FROM unnest(${agentIds}::text[], ${paths}::text[]))`)
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ agentId }) => agentId)].map(([id, own]) => [id, new Set(own.map(({ path }) => path))]),
  );
}
