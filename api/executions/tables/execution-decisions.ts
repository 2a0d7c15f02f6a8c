import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionApprovals: ExecutionApprovalsTable;
    executionDecisions: ExecutionDecisionsTable;
  }
}

/** Approval policies of waits. A wait without a row is continued by any matching event. */
export interface ExecutionApprovalsTable {
  executionId: string;
  wait: string;
  policy: ColumnType<ApprovalPolicy, string, string>;
}

/** Decisions of users about waits. */
export interface ExecutionDecisionsTable {
  executionId: string;
  wait: string;
  /** Id of the user, or `operator`. Each can decide once. */
  decider: string;
  userId: string | null;
  username: string;
  approved: boolean;
  note: string | null;
  /** True for the decision that ended the wait. */
  final: Generated<boolean>;
  decidedAt: Generated<Date>;
}

export type ExecutionDecision = Selectable<ExecutionDecisionsTable>;

/** Returns the decisions about a wait, oldest first. */
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
