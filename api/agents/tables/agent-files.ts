import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { isStorable } from '#schemas/api/storable-text.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentVersions: AgentVersionsTable;
    agentFiles: AgentFilesTable;
  }
}

/** Each change of a workspace is a version. */
export interface AgentVersionsTable {
  agentId: string;
  version: number;
  /** SHA-256 of all paths and contents of it, hexadecimal. */
  commit: string;
  /** See `actorOf`; `execution:<id>` where an agent wrote into its own workspace. */
  author: string;
  createdAt: Generated<Date>;
}

/** A file from the version that brought it to the version that changed or removed it. */
export interface AgentFilesTable {
  agentId: string;
  path: string;
  fromVersion: number;
  /** null: it is live. */
  untilVersion: Generated<number | null>;
  /** SHA-256, hexadecimal; its name in the file store. */
  contentHash: string;
  /** Bytes. */
  size: number;
  contentType: string;
  createdAt: Generated<Date>;
}

/** A file by its name and its content. */
export interface NamedContent {
  readonly path: string;
  readonly contentHash: string;
  readonly size: number;
  readonly contentType: string;
}

/** A file that a run was given: `path` is the name of the input. */
export interface GivenFile extends NamedContent {
  /** What the sender called it; null or absent where there is no such name. */
  readonly filename?: string | null;
}

export type WorkspaceFile = Pick<
  Selectable<AgentFilesTable>,
  'path' | 'contentHash' | 'size' | 'contentType' | 'createdAt' | 'fromVersion'
>;
const FILE = ['path', 'contentHash', 'size', 'contentType', 'createdAt', 'fromVersion'] as const;

export type WorkspaceVersion = Pick<Selectable<AgentVersionsTable>, 'version' | 'commit' | 'createdAt'>;

/** The versions of a workspace, newest first; each number up to the latest is one. */
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

/** What the workspace held at a version, by path. */
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

/** One file as it was at a version; undefined when it did not exist. */
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
 * Puts files into a new version of the workspace. The agent has to be locked (`lockAgent`). Rejects with a violation of
 * `agent_files_live_fold` when a path differs from another in its case only.
 */
export async function insertWorkspaceVersion(
  db: Db,
  change: {
    readonly agentId: string;
    readonly version: number;
    readonly commit: string;
    readonly author: string;
    readonly files: readonly NamedContent[];
    /** Paths that it has no more. */
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

/** Which of these files are live, by agent. */
export async function livePaths(
  db: Db,
  wanted: readonly { readonly agentId: string; readonly path: string }[],
): Promise<Map<string, Set<string>>> {
  // No file has such a name, and a query with it is broken.
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
