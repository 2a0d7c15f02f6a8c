import type { Db } from '#api/postgres/database.ts';

/** Why outputs receive a message about a case. */
export type CaseCause = 'opened' | 'changed' | 'closed';

export interface CaseHappened {
  readonly caseId: string;
  /** Number of the entry in the history of the case. */
  readonly seq: number;
  readonly cause: CaseCause;
  readonly at: Date;
}

/** Queues messages about a case to the outputs that subscribe to them, in the transaction of the change. */
export type NotifyOutputs = (transaction: Db, happened: CaseHappened) => Promise<void>;
