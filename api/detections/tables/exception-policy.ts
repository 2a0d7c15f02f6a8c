import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { AnalystExceptions } from '#schemas/api/exception-requests.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    exceptionPolicy: ExceptionPolicyTable;
  }
}

/** A single row: whether analysts create exceptions or request them. */
export interface ExceptionPolicyTable {
  one: Generated<boolean>;
  analysts: Generated<AnalystExceptions>;
  /** Increases by one with every change. */
  version: Generated<number>;
  changedAt: Generated<Date>;
  changedBy: Generated<string>;
}
export type ExceptionPolicyRow = Selectable<ExceptionPolicyTable>;

export function readExceptionPolicy(db: Db): Promise<ExceptionPolicyRow> {
  return db.selectFrom('exceptionPolicy').selectAll().executeTakeFirstOrThrow();
}

/** Returns the policy and locks it against other changes until the transaction ends. */
export function lockExceptionPolicy(transaction: Db): Promise<ExceptionPolicyRow> {
  return transaction.selectFrom('exceptionPolicy').selectAll().forUpdate().executeTakeFirstOrThrow();
}

export function saveExceptionPolicy(
  transaction: Db,
  analysts: AnalystExceptions,
  changedBy: string,
): Promise<ExceptionPolicyRow> {
  return transaction
    .updateTable('exceptionPolicy')
    .set({ analysts, changedBy, changedAt: sql`now()`, version: sql`version + 1` })
    .returningAll()
    .executeTakeFirstOrThrow();
}
