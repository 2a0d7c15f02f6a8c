import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    auditHead: AuditHeadTable;
  }
}

/** One row: the newest entry of the audit log. The database moves it on with each entry. */
export interface AuditHeadTable {
  /** 0 while there is no entry. */
  id: number;
  hash: Buffer;
}

export interface AuditHead {
  readonly id: number;
  readonly hash: Buffer;
}

/** Returns the newest entry and locks it: until the transaction ends no other one can add an entry. `at` is the database's clock. */
export async function lockAuditHead(transaction: Db): Promise<AuditHead & { readonly at: Date }> {
  return transaction
    .selectFrom('auditHead')
    .select(['id', 'hash', sql<Date>`clock_timestamp()::timestamptz(3)`.as('at')])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function readAuditHead(db: Db): Promise<AuditHead> {
  return db.selectFrom('auditHead').select(['id', 'hash']).executeTakeFirstOrThrow();
}
