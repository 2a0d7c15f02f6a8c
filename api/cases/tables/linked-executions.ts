import { type Generated, type Selectable, sql } from 'kysely';
import type { ExecutionStatus } from '#api/executions/engine/port.ts';
import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    linkedExecutions: LinkedExecutionsTable;
  }
}

/** Executions that were started for a detection or a case. Rows stay when the execution is deleted. */
export interface LinkedExecutionsTable {
  /** Id of the detection or case. */
  subject: string;
  executionId: string;
  kind: 'workflow' | 'agent';
  /** Slug of the workflow or agent. */
  name: string | null;
  at: Generated<Date>;
  actor: string;
  username: string | null;
}
export type LinkedExecution = Selectable<LinkedExecutionsTable>;

/** Executions of one detection or case at most, in a list. */
const MOST = 200;

/** With the status of the execution; null when it was deleted. */
export type ListedExecution = LinkedExecution & { readonly status: ExecutionStatus | null };

/** The newest first. */
export function executionsOf(db: Db, subject: string): Promise<ListedExecution[]> {
  return db
    .selectFrom('linkedExecutions')
    .leftJoin('executions', 'executions.id', 'linkedExecutions.executionId')
    .selectAll('linkedExecutions')
    .select('executions.status')
    .where('subject', '=', subject)
    .orderBy('at', 'desc')
    .limit(MOST)
    .execute();
}

/** False when it was linked before. */
export async function insertLinkedExecution(transaction: Db, row: Omit<LinkedExecution, 'at'>): Promise<boolean> {
  const inserted = await transaction
    .insertInto('linkedExecutions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('executionId')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The kind of an execution that the viewer owns, or administers; undefined when there is no such execution. */
export async function kindOfExecution(
  db: Db,
  { userId, administrator }: Viewer,
  id: string,
): Promise<'workflow' | 'agent' | undefined> {
  const row = await db
    .selectFrom('executions')
    .select('kind')
    .where('id', '=', id)
    .$if(!administrator, (query) => query.where(sql<boolean>`owner_id::text = ${userId ?? ''}`))
    .executeTakeFirst();
  return row?.kind;
}
