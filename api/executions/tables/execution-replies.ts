import type { Generated } from 'kysely';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionReplies: ExecutionRepliesTable;
  }
}

/**
 * An event for a single execution, and the first event that the execution sent in reply. Kept as long as the execution.
 */
export interface ExecutionRepliesTable {
  executionId: string;
  /** Id and source of the received event. The id is `causationid` of the reply. */
  eventId: string;
  source: string;
  /** The reply. Null while `repliedAt` is set means that it exceeds `MAX_REPLY_BYTES`. */
  event: JsonColumn;
  createdAt: Generated<Date>;
  repliedAt: Date | null;
}
