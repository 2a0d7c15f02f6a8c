import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionApprovals: ExecutionApprovalsTable;
    executionDecisions: ExecutionDecisionsTable;
  }
}

/** Who decides for a wait; waits without a row are continued by any event that fits. */
export interface ExecutionApprovalsTable {
  executionId: string;
  wait: string;
  policy: ColumnType<ApprovalPolicy, string, string>;
}

/** What a user has decided for a wait. */
export interface ExecutionDecisionsTable {
  executionId: string;
  wait: string;
  /** The id of the user, or `operator`: each decides once. */
  decider: string;
  userId: string | null;
  username: string;
  approved: boolean;
  note: string | null;
  /** With it the wait was decided. */
  final: Generated<boolean>;
  decidedAt: Generated<Date>;
}

export type ExecutionDecision = Selectable<ExecutionDecisionsTable>;

/** The decisions for a wait, the oldest first. */
export function listDecisions(db: Db, executionId: string, wait: string): Promise<ExecutionDecision[]> {
  return db
    .selectFrom('executionDecisions')
    .selectAll()
    .where('executionId', '=', executionId)
    .where('wait', '=', wait)
    .orderBy('decidedAt')
    .execute();
}

export async function insertDecision(transaction: Db, decision: Omit<ExecutionDecision, 'decidedAt'>): Promise<void> {
  await transaction.insertInto('executionDecisions').values(decision).execute();
}
