import { type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    caseFiles: CaseFilesTable;
  }
}

/** Evidence files. Their content is in the file store under its SHA-256. */
export interface CaseFilesTable {
  /** `file_` and 32 hexadecimal digits. */
  id: string;
  caseId: string;
  filename: string;
  /** SHA-256, hexadecimal. */
  contentHash: string;
  /** Size in bytes. */
  size: number;
  addedAt: Date;
  addedBy: string;
  username: string | null;
}
export type CaseFile = Selectable<CaseFilesTable>;

export function filesOfCase(db: Db, caseId: string): Promise<CaseFile[]> {
  return db.selectFrom('caseFiles').selectAll().where('caseId', '=', caseId).orderBy('addedAt').orderBy('id').execute();
}

export function findCaseFile(db: Db, caseId: string, id: string): Promise<CaseFile | undefined> {
  return db.selectFrom('caseFiles').selectAll().where('caseId', '=', caseId).where('id', '=', id).executeTakeFirst();
}

/**
 * Adds a file whose content was stored within the last hour. Processes of earlier versions do not know this table and
 * delete contents by their storage time. Until all processes are upgraded, a referenced content therefore has a storage
 * time that never counts as old.
 */
export async function insertCaseFile(transaction: Db, file: CaseFile): Promise<void> {
  await transaction
    .updateTable('fileContents')
    .set({ storedAt: sql<Date>`'infinity'` })
    .where('hash', '=', file.contentHash)
    .execute();
  await transaction.insertInto('caseFiles').values(file).execute();
}

/** Removes a file. Its content is deleted an hour later, unless another file references it. */
export async function deleteCaseFile(transaction: Db, { id, contentHash }: CaseFile): Promise<void> {
  await transaction.deleteFrom('caseFiles').where('id', '=', id).execute();
  await transaction
    .updateTable('fileContents')
    .set({ storedAt: sql<Date>`now()` })
    .where('hash', '=', contentHash)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM case_files WHERE content_hash = ${contentHash})`)
    .execute();
}
