import { type ColumnType, type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Check } from '../evaluation/checks.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentChecks: AgentChecksTable;
  }
}

/** The checks of every run of an example of an agent. They are copied to a run when it starts. */
export interface AgentChecksTable {
  agentId: string;
  checks: ColumnType<Check[], string, string>;
  updatedBy: string;
  updatedAt: Generated<Date>;
}

/** Returns an empty list for an agent without checks. */
export async function readChecks(db: Db, agentId: string): Promise<readonly Check[]> {
  const row = await db.selectFrom('agentChecks').select('checks').where('agentId', '=', agentId).executeTakeFirst();
  return row?.checks ?? [];
}

export async function putChecks(
  transaction: Db,
  agentId: string,
  checks: readonly Check[],
  updatedBy: string,
): Promise<void> {
  const values = { checks: JSON.stringify(checks), updatedBy };
  await transaction
    .insertInto('agentChecks')
    .values({ agentId, ...values })
    .onConflict((conflict) => conflict.column('agentId').doUpdateSet({ ...values, updatedAt: sql<Date>`now()` }))
    .execute();
}
