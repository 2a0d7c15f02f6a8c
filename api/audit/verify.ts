import type { Database } from '#api/postgres/database.ts';
import { CHAIN_START, chainHash } from './chain.ts';
import { readAuditHead } from './tables/audit-head.ts';
import { auditRowsAfter, type RawAuditRow } from './tables/audit-log.ts';

/**
 * The fault of the first invalid entry.
 * - `altered`: its content does not match its hash.
 * - `missing`: there is no entry with this id, although later entries or the head show that there was one.
 * - `unlinked`: it does not follow the previous entry.
 * - `unexpected`: it differs from the head, or from a hash that was stored elsewhere.
 */
export type AuditFault = 'altered' | 'missing' | 'unlinked' | 'unexpected';

export interface AuditVerification {
  /** Number of valid entries before the first invalid one. */
  readonly verified: number;
  /** The newest valid entry, to be stored where database administrators cannot change it; id 0 for an empty log. */
  readonly head: { readonly id: number; readonly hash: string };
  /** Undefined if all entries are valid. */
  readonly broken: { readonly id: number; readonly fault: AuditFault } | undefined;
}

/** An entry that was recorded elsewhere, such as in the SIEM file. A completely rewritten log does not contain its hash. */
export interface ExpectedEntry {
  readonly id: number;
  /** Hexadecimal. */
  readonly hash: string;
}

const ROWS_AT_ONCE = 1_000;

/**
 * Reads the whole log in order, in one database snapshot, and returns the first entry that was altered, removed or
 * moved, including at the end of the log. Uses constant memory.
 */
export async function verifyAuditLog(
  database: Database,
  expected: ExpectedEntry | undefined = undefined,
): Promise<AuditVerification> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const head = await readAuditHead(transaction);
      let last: { readonly id: number; readonly hash: Buffer } = { id: 0, hash: CHAIN_START };
      let after: number | undefined;
      const result = (broken: AuditVerification['broken']): AuditVerification => ({
        verified: last.id,
        head: { id: last.id, hash: last.id === 0 ? '' : last.hash.toString('hex') },
        broken,
      });
      while (true) {
        const rows = await auditRowsAfter(transaction, after, ROWS_AT_ONCE);
        for (const row of rows) {
          const fault = faultOf(row, last) ?? contradiction(row, expected);
          if (fault !== undefined) return result({ id: fault === 'missing' ? last.id + 1 : row.id, fault });
          if (row.id > head.id) return result({ id: row.id, fault: 'unexpected' });
          last = row;
          after = row.id;
        }
        if (rows.length < ROWS_AT_ONCE) break;
      }
      const shouldReach = Math.max(head.id, expected?.id ?? 0);
      if (last.id < shouldReach) return result({ id: last.id + 1, fault: 'missing' });
      if (!last.hash.equals(head.hash)) return result({ id: last.id, fault: 'unexpected' });
      return result(undefined);
    });
}

function faultOf(row: RawAuditRow, last: { readonly id: number; readonly hash: Buffer }): AuditFault | undefined {
  if (row.id > last.id + 1) return 'missing';
  if (row.id <= last.id) return 'unexpected';
  if (!row.previousHash.equals(last.hash)) return 'unlinked';
  return chainHash(row.previousHash, row).equals(row.hash) ? undefined : 'altered';
}

function contradiction(row: RawAuditRow, expected: ExpectedEntry | undefined): AuditFault | undefined {
  return row.id === expected?.id && row.hash.toString('hex') !== expected.hash.toLowerCase() ? 'unexpected' : undefined;
}
