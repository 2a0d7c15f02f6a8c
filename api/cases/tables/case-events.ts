import type { ColumnType, Selectable } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Happening } from '#schemas/api/cases.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    caseEvents: CaseEventsTable;
  }
}

/** What happened to a case, except comments, which have a table of their own. Rows are never changed. */
export interface CaseEventsTable {
  caseId: string;
  /** 1, 2, 3 … of the case. */
  seq: number;
  at: Date;
  /** See `actorOf`; `system` for what a process does by itself. */
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

/** The newest, the newest first. */
export function newestCaseEvents(db: Db, caseId: string, limit: number): Promise<CaseEvent[]> {
  return db
    .selectFrom('caseEvents')
    .selectAll()
    .where('caseId', '=', caseId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}
