import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Execution } from '../tables/executions.ts';
import { type ClaimedExecution, type ClaimWish, take } from './claim.ts';
import type { ExecutionClaim } from './leases.ts';

export interface SuspectWish extends Pick<ClaimWish, 'worker' | 'leaseMs' | 'kinds'> {
  /** If true, the worker claims nothing else until `endAlone`. */
  readonly alone: boolean;
}

/** Claims the suspect with the most losses; see `leases/isolation.ts`. Resolves to undefined if there is no suspect. */
export async function claimSuspect(
  db: Db,
  { worker, leaseMs, kinds, alone }: SuspectWish,
): Promise<ClaimedExecution | undefined> {
  const { rows } = await sql<ClaimedExecution>`
    ${take(
      { worker, leaseMs, alone },
      sql`WHERE id = (
        SELECT id FROM executions
        WHERE status = 'pending' AND losses > 0 AND kind = ANY (${kinds}::text[])
        ORDER BY losses DESC, queued_at LIMIT 1 FOR UPDATE SKIP LOCKED
      )`,
    )}`.execute(db);
  return rows[0];
}

/** Ends exclusive execution, so the worker may claim other work. Returns false if the lease is lost. */
export async function endAlone(db: Db, { id, epoch }: ExecutionClaim): Promise<boolean> {
  const { rows } = await sql<Pick<Execution, 'id'>>`
    UPDATE executions SET alone = false WHERE id = ${id} AND epoch = ${epoch} RETURNING id`.execute(db);
  return rows.length > 0;
}
