import { redactDiff, redactName, redactText } from '#api/http/redact.ts';
import type { Db } from '#api/postgres/database.ts';
import { afterCommit, beforeCommit } from '#api/postgres/transaction.ts';
import { chainHash } from './chain.ts';
import type { Audit, AuditEntry, CommittedAuditEntry } from './port.ts';
import { lockAuditHead } from './tables/audit-head.ts';
import { insertAuditRows } from './tables/audit-log.ts';

export interface AuditDeps {
  /** Called with every entry of this process after its transaction has committed, in order. Must not throw. */
  readonly onCommitted?: (entry: CommittedAuditEntry) => void;
}

/**
 * The audit log. Entries are numbered without gaps, and the hash of each covers the hash of the previous one.
 *
 * The lock makes every writer wait until the previous writer has committed. Entries are therefore collected and
 * inserted as the last statement of their transaction. The wait is then one insert and one commit long. A waiting
 * transaction needs no further lock, so no deadlock is possible.
 */
export function createAudit({ onCommitted = () => {} }: AuditDeps = {}): Audit {
  const gathered = new WeakMap<object, AuditEntry[]>();

  return {
    async record(transaction, entry) {
      const redacted = redact(entry);
      const entries = gathered.get(transaction);
      if (entries !== undefined) {
        entries.push(redacted);
        return;
      }
      const first = [redacted];
      gathered.set(transaction, first);
      beforeCommit(transaction, async () => {
        const committed = await append(transaction, first);
        afterCommit(transaction, () => committed.forEach(onCommitted));
      });
    },
  };
}

async function append(transaction: Db, entries: readonly AuditEntry[]): Promise<CommittedAuditEntry[]> {
  const head = await lockAuditHead(transaction);
  let { id, hash } = head;
  const rows = entries.map(({ actor, target, action, diff = {}, origin }) => {
    id += 1;
    const fields = { id, at: head.at, actor, target, action, diff: JSON.stringify(diff), ...origin };
    const previousHash = hash;
    hash = chainHash(previousHash, fields);
    return { ...fields, previousHash, hash };
  });
  await insertAuditRows(transaction, rows);
  return rows.map((row, index) => ({
    id: row.id,
    at: row.at,
    actor: row.actor,
    target: row.target,
    action: row.action,
    diff: entries[index]?.diff ?? {},
    origin: { ip: row.ip, userAgent: row.userAgent, requestId: row.requestId },
    hash: row.hash.toString('hex'),
  }));
}

function redact({ actor, target, action, diff = {}, origin }: AuditEntry): AuditEntry {
  return {
    actor: redactName(actor),
    target: redactName(target),
    action,
    diff: redactDiff(diff) as NonNullable<AuditEntry['diff']>,
    origin: {
      ip: redactText(origin.ip),
      userAgent: redactText(origin.userAgent),
      requestId: origin.requestId,
    },
  };
}
