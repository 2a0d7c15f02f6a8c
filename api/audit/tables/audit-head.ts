import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    auditHead: AuditHeadTable;
  }
}

/** A single row: the newest entry of the audit log. A database trigger updates it with each entry. */
export interface AuditHeadTable {
  /** 0 if there is no entry. */
  id: number;
  hash: Buffer;
}

export interface AuditHead {
  readonly id: number;
  readonly hash: Buffer;
}

/**
 * Returns the newest entry and locks it: no other transaction can add an entry until this one ends. `at` is the time of
 * the database.
 */
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
