import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { type ExecutionRow, type IdempotencyMark, insertExecution } from '../store/accept.ts';
import { lockAdmissions } from './admissions.ts';
import { elementsOf, insertElements, mergeStart } from './gather.ts';
import type { Gather } from './start-limits.ts';

export interface GatheredExecution {
  readonly row: ExecutionRow;
  readonly mark: IdempotencyMark | undefined;
  readonly gather: Gather;
}

/**
 * Accepts a start of a workflow that debounces or batches. Merges it into the waiting execution with the same key, or
 * creates an execution that later starts can merge into. Returns undefined if the same start was accepted before; see
 * `insertExecution`. `within` runs in the same transaction, with the id of the resulting execution. So a merged start
 * is as durable as any other.
 */
export function acceptGathered(
  database: Database,
  { row, mark, gather }: GatheredExecution,
  within: (transaction: Db, id: string) => Promise<void> = async () => {},
) {
  return inTransaction(database, async (transaction) => {
    await lockAdmissions(transaction, row.workflowId ?? '');
    if (mark !== undefined && !(await insertMark(transaction, mark, row.id))) return undefined;
    const { versionId, input, causation = 0 } = row;
    const merged = await mergeStart(transaction, gather, { versionId: versionId ?? '', input, causation });
    if (merged !== undefined) {
      if (mark !== undefined) await pointMark(transaction, mark, merged.id);
      await within(transaction, merged.id);
      return { outcome: 'merged' as const, id: merged.id, unusedFile: merged.replacedFile };
    }
    const id = await insertExecution(transaction, row, undefined);
    if (id === undefined) return undefined;
    const elements = gather.kind === 'batch' ? elementsOf(row.input) : undefined;
    if (elements !== undefined) await insertElements(transaction, id, elements);
    await within(transaction, id);
    return { outcome: 'accepted' as const, id, unusedFile: null };
  });
}

/** Returns false if the key was used within 24 hours. */
async function insertMark(transaction: Db, { caller, key, bodyHash }: IdempotencyMark, id: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO execution_idempotency (caller, key, body_hash, execution_id) VALUES (${caller}, ${key}, ${bodyHash}, ${id})
    ON CONFLICT (caller, key) DO UPDATE
      SET body_hash = excluded.body_hash, execution_id = excluded.execution_id, created_at = now()
      WHERE execution_idempotency.created_at < now() - interval '24 hours'
    RETURNING 1`.execute(transaction);
  return rows.length > 0;
}

async function pointMark(transaction: Db, { caller, key }: IdempotencyMark, id: string): Promise<void> {
  await sql`UPDATE execution_idempotency SET execution_id = ${id} WHERE caller = ${caller} AND key = ${key}`.execute(
    transaction,
  );
}
