import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    fileContents: FileContentsTable;
  }
}

/** Contents of the file store. */
export interface FileContentsTable {
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Size in bytes. */
  size: number;
  /** Renewed by each writer that is about to refer to it, because recent contents are never deleted. */
  storedAt: Generated<Date>;
}

/** Marks a content as needed. Waits for a concurrent deletion. */
export async function touchContent(db: Db, hash: string, size: number): Promise<void> {
  await db
    .insertInto('fileContents')
    .values({ hash, size })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ storedAt: sql<Date>`greatest(file_contents.stored_at, now())` }),
    )
    .execute();
}

/**
 * Returns up to `limit` unreferenced contents that were stored before this age. Locks them until the transaction ends.
 */
export async function lockUnreferencedContents(db: Db, olderThanMs: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    SELECT hash FROM file_contents AS content
    WHERE stored_at < now() - ${olderThanMs} * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM agent_files WHERE content_hash = content.hash)
      AND NOT EXISTS (SELECT FROM execution_files WHERE content_hash = content.hash)
      AND NOT EXISTS (SELECT FROM agent_example_files WHERE content_hash = content.hash)
      AND NOT EXISTS (SELECT FROM case_files WHERE content_hash = content.hash)
    ORDER BY stored_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(db);
  return rows.map(({ hash }) => hash);
}

export async function deleteContents(db: Db, hashes: readonly string[]): Promise<void> {
  await db
    .deleteFrom('fileContents')
    .where('hash', '=', sql<string>`ANY(${[...hashes]})`)
    .execute();
}
