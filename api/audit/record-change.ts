import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Audit, AuditEntry } from './port.ts';

/**
 * Records a change of data outside PostgreSQL, such as events. Call it before the change. Every change then has an
 * entry, and at worst an entry describes a failed change. Rejects while PostgreSQL is unavailable; the change must not
 * be made then.
 */
export type RecordChange = (entry: AuditEntry) => Promise<void>;

export function createChangeRecord({
  database,
  audit,
}: {
  readonly database: Database;
  readonly audit: Audit;
}): RecordChange {
  return (entry) => inTransaction(database, (transaction) => audit.record(transaction, entry));
}
