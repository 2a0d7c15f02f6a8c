import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionFiles: ExecutionFilesTable;
  }
}

export const EXECUTION_FILE_KINDS = ['input', 'output', 'issues', 'trace', 'expected'] as const;
export type ExecutionFileKind = (typeof EXECUTION_FILE_KINDS)[number];

/** Files of an execution: input, output and expected files. */
export interface ExecutionFilesTable {
  executionId: string;
  kind: ExecutionFileKind;
  path: string;
  contentHash: string;
  size: number;
  contentType: string;
  /** File name that the sender gave. */
  filename: Generated<string | null>;
  createdAt: Generated<Date>;
}

export type ExecutionFile = Selectable<ExecutionFilesTable>;

export type ExecutionFileContent = Pick<ExecutionFile, 'kind' | 'path' | 'contentHash' | 'size' | 'contentType'> &
  Partial<Pick<ExecutionFile, 'filename'>>;

/** Returns the files of these executions and kinds, by path. */
export function listExecutionFiles(
  db: Db,
  executionIds: readonly string[],
  kinds: readonly ExecutionFileKind[] = EXECUTION_FILE_KINDS,
): Promise<ExecutionFile[]> {
  return db
    .selectFrom('executionFiles')
    .selectAll()
    .where('executionId', '=', sql<string>`ANY(${[...executionIds]})`)
    .where('kind', '=', sql<ExecutionFileKind>`ANY(${[...kinds]})`)
    .orderBy('executionId')
    .orderBy(sql`path COLLATE "C"`)
    .execute();
}

export function findExecutionFile(
  db: Db,
  executionId: string,
  kind: ExecutionFileKind,
  path: string,
): Promise<ExecutionFile | undefined> {
  return db
    .selectFrom('executionFiles')
    .selectAll()
    .where('executionId', '=', executionId)
    .where('kind', '=', kind)
    .where('path', '=', path)
    .executeTakeFirst();
}

/** Returns the input files of an execution and its ancestors, by path. For equal paths, the nearest execution wins. */
export async function inputFilesInReach(db: Db, executionId: string, path?: string): Promise<ExecutionFileContent[]> {
  const { rows } = await sql<ExecutionFileContent>`
    WITH RECURSIVE reach AS (
      SELECT id, parent_id, 0 AS far FROM executions WHERE id = ${executionId}
      UNION ALL
      SELECT e.id, e.parent_id, reach.far + 1 FROM executions AS e JOIN reach ON e.id = reach.parent_id
    )
    SELECT DISTINCT ON (f.path COLLATE "C") f.kind, f.path, f.content_hash, f.size, f.content_type, f.filename
    FROM reach JOIN execution_files AS f ON f.execution_id = reach.id AND f.kind = 'input'
    WHERE ${path ?? null}::text IS NULL OR f.path = ${path ?? null}
    ORDER BY f.path COLLATE "C", reach.far`.execute(db);
  return rows;
}

/** Inserts files, replacing those with the same path. */
export async function putExecutionFiles(
  db: Db,
  executionId: string,
  files: readonly ExecutionFileContent[],
): Promise<void> {
  if (files.length === 0) return;
  await db
    .insertInto('executionFiles')
    .values(
      // Copies only these columns, because rows of another execution have more fields.
      files.map(({ kind, path, contentHash, size, contentType, filename }) => ({
        executionId,
        kind,
        path,
        contentHash,
        size,
        contentType,
        filename,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['executionId', 'kind', 'path']).doUpdateSet((eb) => ({
        contentHash: eb.ref('excluded.contentHash'),
        size: eb.ref('excluded.size'),
        contentType: eb.ref('excluded.contentType'),
        filename: eb.ref('excluded.filename'),
        createdAt: sql<Date>`now()`,
      })),
    )
    .execute();
}

/** Deletes files that an earlier attempt left, before the files of this attempt are inserted. */
export async function deleteExecutionFiles(
  db: Db,
  executionId: string,
  kinds: readonly ExecutionFileKind[],
  path?: string,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('executionFiles')
    .where('executionId', '=', executionId)
    .where('kind', '=', sql<ExecutionFileKind>`ANY(${[...kinds]})`)
    .$if(path !== undefined, (query) => query.where('path', '=', path as string))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Updates the count of expected files. The row of the execution must be locked. */
export async function countExpectedFiles(db: Db, executionId: string): Promise<void> {
  await sql`
    UPDATE agent_executions
    SET expected_files = (SELECT count(*) FROM execution_files WHERE execution_id = ${executionId} AND kind = 'expected')
    WHERE execution_id = ${executionId}`.execute(db);
}
