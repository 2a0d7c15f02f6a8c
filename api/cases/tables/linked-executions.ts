import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    linkedExecutions: LinkedExecutionsTable;
  }
}

/** Executions that were started for a detection or a case. Rows stay after the execution is deleted. */
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

/** Maximum number of listed executions per detection or case. */
const MOST = 200;

/** An execution with its status. Null after it was deleted. */
export type ListedExecution = LinkedExecution & { readonly status: ExecutionStatus | null };

/** Returns the executions, newest first. */
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

/** Links an execution. False if it was already linked. */
export async function insertLinkedExecution(transaction: Db, row: Omit<LinkedExecution, 'at'>): Promise<boolean> {
  const inserted = await transaction
    .insertInto('linkedExecutions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('executionId')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Returns the kind of an execution that the viewer owns or administers. Undefined if there is no such execution. */
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
