import type { Audit, AuditAction, AuditEntry } from '#api/audit/port.ts';
import { findAnalyst } from '#api/detections/tables/detection-triage.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Happening } from '#schemas/api/cases.ts';
import type { CaseCause, NotifyOutputs } from './case-cause.ts';
import { CaseRefused } from './case-refused.ts';
import type { CaseChangedBy } from './changed-by.ts';
import type { Notices } from './notify/notices.ts';
import { insertCaseEvent } from './tables/case-events.ts';
import { type CaseRow, lockCase, saveCase } from './tables/cases.ts';

export interface CaseTransactionsDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly notices: Notices;
  /** By default, outputs get no message. */
  readonly notifyOutputs?: NotifyOutputs | undefined;
}

/** One entry of the history and of the audit log. */
export interface CaseEntry {
  readonly kind: Happening['kind'];
  readonly data: Record<string, unknown>;
  readonly action: AuditAction;
  readonly diff: NonNullable<AuditEntry['diff']>;
  readonly cause?: CaseCause;
}

/** Functions that all changes of cases share. */
export type CaseTransactions = ReturnType<typeof createCaseTransactions>;

/** Creates the transaction of a change with its history, its audit entry and its message to outputs. */
export function createCaseTransactions({
  database,
  audit,
  notices,
  notifyOutputs = async () => {},
}: CaseTransactionsDeps) {
  /** Runs `work` on a locked case. Then writes the history, the audit entry and the message to outputs from its result. */
  function onCase<T>(
    id: string,
    by: CaseChangedBy,
    work: (
      row: CaseRow,
      transaction: Db,
      at: Date,
    ) => Promise<{ readonly entry?: CaseEntry | undefined; readonly row?: CaseRow; readonly result: T }>,
  ): Promise<T> {
    return inTransaction(database, async (transaction) => {
      const row = await lockCase(transaction, id);
      if (row === undefined) throw new CaseRefused({ code: 'not_found', what: 'case' });
      const at = new Date(Math.max(Date.now(), row.changedAt.getTime() + 1));
      const { entry, row: after = row, result } = await work(row, transaction, at);
      if (entry !== undefined) await keep(transaction, { ...after, changedAt: at }, entry, by);
      return result;
    });
  }

  /** Writes a case that is locked or new, with its history entry. */
  async function keep(transaction: Db, row: CaseRow, entry: CaseEntry, by: CaseChangedBy): Promise<void> {
    const { kind, data, action, diff, cause = 'changed' } = entry;
    const { id: caseId, changedAt: at } = row;
    const { actor, username, origin } = by;
    const seq = row.lastSeq + 1;
    await saveCase(transaction, { ...row, lastSeq: seq });
    await insertCaseEvent(transaction, { caseId, seq, at, actor, username, kind, data });
    await audit.record(transaction, { actor, target: `case:${caseId}`, action, diff, origin });
    await notifyOutputs(transaction, { caseId, seq, cause, at });
  }

  /** Returns the stored spelling of an analyst's name; null for none. Rejects with `CaseRefused` for an unknown name. */
  async function analyst(name: string | null | undefined, field: string): Promise<string | null> {
    if (name === null || name === undefined) return null;
    const found = await findAnalyst(database, name);
    if (found !== undefined) return found;
    const problem = 'there is no enabled analyst or administrator of this name';
    throw new CaseRefused({ code: 'invalid', field, problem });
  }

  return { onCase, keep, analyst, notices };
}

export function entryOf(
  kind: CaseEntry['kind'],
  data: Record<string, unknown>,
  action: AuditAction,
  diff: CaseEntry['diff'],
): CaseEntry {
  return { kind, data, action, diff };
}

export function afterOnly(fields: Readonly<Record<string, unknown>>): CaseEntry['diff'] {
  return Object.fromEntries(Object.entries(fields).map(([name, after]) => [name, { after }]));
}

export function diffOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): CaseEntry['diff'] {
  return Object.fromEntries(Object.keys(after).map((name) => [name, { before: before[name], after: after[name] }]));
}
