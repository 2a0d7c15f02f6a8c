import type { Database } from '#api/postgres/database.ts';
import { CHAIN_START, chainHash } from './chain.ts';
import { readAuditHead } from './tables/audit-head.ts';
import { auditRowsAfter, type RawAuditRow } from './tables/audit-log.ts';

/**
 * What is wrong with the first entry that is not as it was written.
 * `altered`: its text and its hash don't fit. `missing`: no entry has this id, although later ones or the head say there was one.
 * `unlinked`: it does not follow the entry before it. `unexpected`: the head, or what was noted of the log elsewhere, knows nothing of it.
 */
export type AuditFault = 'altered' | 'missing' | 'unlinked' | 'unexpected';

export interface AuditVerification {
  /** How many entries are as they were written, up to the first that is not. */
  readonly verified: number;
  /** The newest of them, to be noted where administrators of the database cannot change it; id 0 for an empty log. */
  readonly head: { readonly id: number; readonly hash: string };
  /** Undefined when all is as it was written. */
  readonly broken: { readonly id: number; readonly fault: AuditFault } | undefined;
}

/** An entry as it was noted elsewhere, such as in the SIEM file: a log rewritten as a whole does not contain this hash. */
export interface ExpectedEntry {
  readonly id: number;
  /** Hexadecimal. */
  readonly hash: string;
}

const ROWS_AT_ONCE = 1_000;

/**
 * Reads the whole log in order, in one view of the database, and returns the first entry that was altered, removed or moved, at the end of
 * the log too. Memory does not grow with the log.
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
