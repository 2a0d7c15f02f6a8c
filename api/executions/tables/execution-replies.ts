import type { Generated } from 'kysely';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionReplies: ExecutionRepliesTable;
  }
}

/** An event for one execution alone, and the first event that the execution sent in reply. Kept as long as the execution. */
export interface ExecutionRepliesTable {
  executionId: string;
  /** Id and source of the received event. The id is `causationid` of the reply. */
  eventId: string;
  source: string;
  /** The reply; null with `repliedAt`: it is larger than `MAX_REPLY_BYTES`. */
  event: JsonColumn;
  createdAt: Generated<Date>;
  repliedAt: Date | null;
}
