import type { ColumnType, Selectable } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Happening } from '#schemas/api/cases.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    caseEvents: CaseEventsTable;
  }
}

/** The history of a case, without comments, which have a separate table. Rows are never changed. */
export interface CaseEventsTable {
  caseId: string;
  /** Sequence number within the case, from 1. */
  seq: number;
  at: Date;
  /** See `actorOf`; `system` for changes by a process. */
  actor: string;
  username: string | null;
  kind: Happening['kind'];
  data: ColumnType<Record<string, unknown>, string, never>;
}
export type CaseEvent = Selectable<CaseEventsTable>;

export async function insertCaseEvent(transaction: Db, { data, ...event }: CaseEvent): Promise<void> {
  await transaction
    .insertInto('caseEvents')
    .values({ ...event, data: JSON.stringify(data) })
    .execute();
}

/** Returns the newest entries, newest first. */
export function newestCaseEvents(db: Db, caseId: string, limit: number): Promise<CaseEvent[]> {
  return db
    .selectFrom('caseEvents')
    .selectAll()
    .where('caseId', '=', caseId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}
